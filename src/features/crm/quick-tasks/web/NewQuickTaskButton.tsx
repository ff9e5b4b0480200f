import { Suspense, useState } from 'react'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { IconButton } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const QuickTaskForm = lazyPart(() => import('#features/crm/quick-tasks/web/QuickTaskForm.tsx'))

/** Button that opens the form for a new quick task, over any page. */
export function NewQuickTaskButton() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton bare label="New quick task" onClick={() => setOpen(true)}>
        <IconPlus size={16} aria-hidden />
      </IconButton>
      {isOpen && (
        <Suspense>
          <QuickTaskForm onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
