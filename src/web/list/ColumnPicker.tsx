import { lazy, Suspense, useState } from 'react'
import IconColumns3 from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs'
import type { TableColumns } from '#web/list/columns.ts'
import { IconButton } from '#web/shell/controls.tsx'

const ColumnMenu = lazy(() => import('#web/list/ColumnMenu.tsx'))

/** Shows and hides columns. The menu is loaded on the first click. */
export function ColumnPicker<Row>({ columns }: { columns: TableColumns<Row> }) {
  const [wanted, setWanted] = useState(false)
  const button = (
    <IconButton label="Columns" aria-haspopup="menu" onClick={() => setWanted(true)}>
      <IconColumns3 size={16} aria-hidden />
    </IconButton>
  )
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <ColumnMenu columns={columns as TableColumns<unknown>} />
    </Suspense>
  )
}
