import { Suspense } from 'react'
import IconColumns3 from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs'
import type { TableColumns } from '#web/list/columns.ts'
import { usePhone } from '#web/list/usePhone.ts'
import { IconButton } from '#web/parts/controls.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const ColumnMenu = lazyPart(() => import('#web/list/table/ColumnMenu.tsx'))

/**
 * Button for the column menu, whose code loads on the first click; absent when rows are shown as cards, which
 * have no columns.
 */
export function ColumnPicker<Row>({ columns }: { columns: TableColumns<Row> }) {
  const { props, wanted, at } = useMenuButton()
  const isPhone = usePhone()
  if (isPhone) return null
  return (
    <>
      <IconButton label="Columns" {...props}>
        <IconColumns3 size={16} aria-hidden />
      </IconButton>
      {wanted && (
        <Suspense>
          <ColumnMenu columns={columns as TableColumns<unknown>} at={at} />
        </Suspense>
      )}
    </>
  )
}
