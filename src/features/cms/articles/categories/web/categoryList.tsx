import { Suspense, useState, type ReactNode } from 'react'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import type { Fields } from '#shared/field.ts'
import type { categories } from '#features/cms/articles/categories/contract.ts'
import type { faqCategories } from '#features/cms/articles/faq-categories/contract.ts'
import { policies, whyNot } from '#features/cms/articles/rules.ts'
import { useMay } from '#web/api/useSend.ts'
import { Card, NameLink, RowAction } from '#web/list/cells.tsx'
import { columnsOfFields } from '#web/list/columns.ts'
import { Moment } from '#web/Moment.tsx'
import { useViewer } from '#web/session.ts'
import { TextButton } from '#web/parts/controls.tsx'
import { countText } from '#web/time.ts'

/* Parts shared by the category lists. */

interface Row {
  id: number
  title: string
  slug: string
  depth: number
  moderated: boolean
  updated_at: string
}

/** Contents of a category, and the row fields that contain the counts. */
interface Counted<R> {
  what: string
  all: keyof R & string
}

const countOf = <R extends Row>(row: R, field: keyof R): string => countText(row[field] as number)

/** Returns the columns of a list of categories; an icon is shown before the title. */
export const categoryColumns = <R extends Row>(
  fields: Fields,
  addressOf: (row: R) => string,
  counts: readonly (keyof R & string)[],
  iconOf?: (row: R) => ReactNode,
) =>
  columnsOfFields<R, Fields>(fields, {
    title: {
      cell: (row) => (
        <span style={{ paddingLeft: Math.min(row.depth, 8) * 18 }}>
          {iconOf?.(row)}
          <NameLink to={addressOf(row)}>{row.title}</NameLink>
        </span>
      ),
      title: ({ title }) => title,
    },
    ...Object.fromEntries(counts.map((name) => [name, { cell: (row: R) => countOf(row, name) }])),
    updated_at: { cell: (row) => <Moment at={row.updated_at} /> },
  })

export const categoryCard = <R extends Row>(
  row: R,
  address: string,
  { what, all }: Counted<R>,
  actions: ReactNode,
) => (
  <Card
    title={<NameLink to={address}>{row.title}</NameLink>}
    aside={`${countOf(row, all)} ${what}`}
    actions={actions}
  >
    {row.slug}
  </Card>
)

type Dialog = (close: () => void) => ReactNode

/**
 * Button that opens the form for a new category. Without permission to create one, its tooltip says who can.
 */
export function NewCategoryButton({ form }: { form: Dialog }) {
  const [open, setOpen] = useState(false)
  const why = whyNot(policies.category.create, useViewer())
  return (
    <>
      <TextButton
        primary={why === undefined}
        icon={<IconPlus size={14} aria-hidden />}
        aria-disabled={why !== undefined || undefined}
        title={why}
        onClick={() => why === undefined && setOpen(true)}
      >
        New category
      </TextButton>
      <Suspense>{open && form(() => setOpen(false))}</Suspense>
    </>
  )
}

interface ActsProps {
  category: Row
  calls: typeof categories | typeof faqCategories
  dialogs: Record<'edit' | 'moderators' | 'delete', Dialog>
}

/** Actions in a category's row. */
export function CategoryActs({ category: { id, title, moderated }, calls, dialogs }: ActsProps) {
  const [open, setOpen] = useState<keyof typeof dialogs>()
  const params = { id: String(id) }
  const viewer = useViewer()
  const why = whyNot(policies.category.update, viewer, { moderated })
  const whyAdmin = whyNot(policies.category.remove, viewer)
  const mayEdit = useMay(calls.update, { params, body: {} })
  return (
    <>
      {mayEdit && (
        <RowAction whyNot={why} onClick={() => setOpen('edit')} aria-label={`Edit ${title}`}>
          Edit
        </RowAction>
      )}
      {mayEdit && (
        <RowAction
          whyNot={whyAdmin}
          onClick={() => setOpen('moderators')}
          aria-label={`Moderators of ${title}`}
        >
          Moderators
        </RowAction>
      )}
      {mayEdit && (
        <RowAction whyNot={whyAdmin} onClick={() => setOpen('delete')} aria-label={`Move to trash: ${title}`}>
          Move to trash
        </RowAction>
      )}
      <Suspense>{open && dialogs[open](() => setOpen(undefined))}</Suspense>
    </>
  )
}
