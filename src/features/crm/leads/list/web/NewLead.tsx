import { Suspense } from 'react'
import IconFileImport from '@tabler/icons-react/dist/esm/icons/IconFileImport.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { TextButton, TextLink } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { useNewForm } from '#web/form/newForms.ts'

const LeadForm = lazyPart(() => import('#features/crm/leads/record/web/LeadForm.tsx'))

export function NewLead() {
  const [open, setOpen] = useNewForm('/demo-leads')
  return (
    <>
      <TextButton primary icon={<IconPlus size={14} aria-hidden />} onClick={() => setOpen(true)}>
        New lead
      </TextButton>
      {open && (
        <Suspense>
          <LeadForm onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

export const ImportLink = () => (
  <TextLink to="/demo-leads/import" icon={<IconFileImport size={14} aria-hidden />}>
    Import
  </TextLink>
)
