import { lazy, Suspense, useState } from 'react'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { categories, CategoryFilters, type CategoryRow } from '#features/cms/articles/categories/contract.ts'
import { policies, whyNot } from '#features/cms/articles/rules.ts'
import { useMay } from '#web/api/useSend.ts'
import { Card, NameLink, RowAction } from '#web/list/cells.tsx'
import type { Column } from '#web/list/columns.ts'
import { ListPage } from '#web/list/ListPage.tsx'
import { EmptyState } from '#web/list/states.tsx'
import { useList, type ListOf } from '#web/list/useList.ts'
import { Moment } from '#web/Moment.tsx'
import { useViewer } from '#web/session.ts'
import { TextButton } from '#web/shell/controls.tsx'
import { loadChunk } from '#web/shell/lazy.tsx'
import { PageHeader } from '#web/shell/PageHeader.tsx'
import { useScope } from '#web/shell/useScope.ts'
import { countText } from '#web/time.ts'

const CategoryForm = lazy(() => loadChunk(() => import('#features/cms/articles/categories/web/CategoryForm.tsx')))
const DeleteDialog = lazy(() => loadChunk(() => import('#features/cms/articles/categories/web/DeleteCategory.tsx')))
const ModeratorsDialog = lazy(() => loadChunk(() => import('#features/cms/articles/categories/web/Moderators.tsx')))

const addressOf = ({ slug }: CategoryRow) => `/categories/${encodeURIComponent(slug)}/posts`

const columns: readonly Column<CategoryRow>[] = [
  {
    id: 'title',
    header: 'Title',
    cell: (row) => (
      <span style={{ paddingLeft: Math.min(row.depth, 8) * 18 }}>
        <NameLink to={addressOf(row)}>{row.title}</NameLink>
      </span>
    ),
    title: ({ title }) => title,
    width: 340,
    always: true,
  },
  { id: 'slug', header: 'Address', cell: (row) => row.slug, width: 220 },
  { id: 'total_posts', header: 'Posts', cell: (row) => countText(row.total_posts), align: 'right', width: 90 },
  { id: 'published_posts', header: 'Published', cell: (row) => countText(row.published_posts), align: 'right', width: 100 },
  { id: 'moderated', header: 'Yours', cell: (row) => (row.moderated ? 'You moderate it' : ''), width: 140 },
  { id: 'updated_at', header: 'Changed', cell: (row) => <Moment at={row.updated_at} />, align: 'right', width: 130 },
]

const categoryList: ListOf<CategoryRow, typeof CategoryFilters> = {
  name: 'categories',
  live: 'category',
  endpoint: categories.list,
  filters: CategoryFilters,
  columns,
  rowKey: ({ id }) => id,
  rowName: ({ title }) => title,
  scopedBy: 'product_id',
}

/** The categories of the chosen product, as a tree. */
export function CategoriesPage() {
  const scope = useScope()
  if (scope === undefined)
    return (
      <>
        <PageHeader />
        <EmptyState title="This product has no blog">Choose another product above.</EmptyState>
      </>
    )
  return <CategoryList scope={scope} />
}

function CategoryList({ scope }: { scope: number }) {
  const list = useList(categoryList)
  return (
    <ListPage
      list={list}
      actions={<NewCategory scope={scope} />}
      searchLabel="Search categories"
      rowAddress={addressOf}
      rowActions={categoryActs}
      card={categoryCard}
      unselectable
      empty={{ title: 'No categories yet', text: 'Every post stands in a category.', action: <NewCategory scope={scope} /> }}
    />
  )
}

const categoryActs = (row: CategoryRow) => <CategoryActs category={row} />

const categoryCard = (row: CategoryRow) => (
  <Card title={<NameLink to={addressOf(row)}>{row.title}</NameLink>} aside={`${countText(row.total_posts)} posts`} actions={<CategoryActs category={row} />}>
    {row.slug}
  </Card>
)

function NewCategory({ scope }: { scope: number }) {
  const [open, setOpen] = useState(false)
  const may = useMay(categories.create, { query: { product_id: scope }, body: { title: '' } })
  return (
    <>
      {may && (
        <TextButton primary icon={<IconPlus size={14} aria-hidden />} onClick={() => setOpen(true)}>
          New category
        </TextButton>
      )}
      <Suspense>{open && <CategoryForm product_id={scope} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}

function CategoryActs({ category }: { category: CategoryRow }) {
  const [open, setOpen] = useState<'edit' | 'moderators' | 'delete'>()
  const params = { id: String(category.id) }
  const viewer = useViewer()
  const why = whyNot(policies.category.update, viewer, { moderated: category.moderated })
  const mayEdit = useMay(categories.update, { params, body: {} })
  const mayModerate = useMay(categories.setModerators, { params, body: { staff_ids: [] } })
  const mayDelete = useMay(categories.remove, { params })
  const close = () => setOpen(undefined)
  return (
    <>
      {mayEdit && (
        <RowAction whyNot={why} onClick={() => setOpen('edit')} aria-label={`Edit ${category.title}`}>
          Edit
        </RowAction>
      )}
      {mayModerate && (
        <RowAction onClick={() => setOpen('moderators')} aria-label={`Moderators of ${category.title}`}>
          Moderators
        </RowAction>
      )}
      {mayDelete && (
        <RowAction onClick={() => setOpen('delete')} aria-label={`Delete ${category.title}`}>
          Delete
        </RowAction>
      )}
      <Suspense>
        {open === 'edit' && <CategoryForm product_id={category.product_id} id={category.id} onClose={close} />}
        {open === 'moderators' && <ModeratorsDialog category={category} onClose={close} />}
        {open === 'delete' && <DeleteDialog category={category} onClose={close} />}
      </Suspense>
    </>
  )
}
