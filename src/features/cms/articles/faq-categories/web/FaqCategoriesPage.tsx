import { Suspense, useState } from 'react'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { faqCategories, FaqCategoryFilters, type FaqCategoryRow } from '#features/cms/articles/faq-categories/contract.ts'
import { policies, whyNot } from '#features/cms/articles/rules.ts'
import { useMay } from '#web/api/useSend.ts'
import { Card, NameLink, RowAction } from '#web/list/cells.tsx'
import type { Column } from '#web/list/columns.ts'
import { ListPage } from '#web/list/ListPage.tsx'
import { prepareList, useList, type ListOf } from '#web/list/useList.ts'
import { Moment } from '#web/Moment.tsx'
import { useViewer } from '#web/session.ts'
import { TextButton } from '#web/shell/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { countText } from '#web/time.ts'

const CategoryForm = lazyPart(() => import('#features/cms/articles/faq-categories/web/FaqCategoryForm.tsx'), 'default')
const DeleteDialog = lazyPart(() => import('#features/cms/articles/faq-categories/web/DeleteFaqCategory.tsx'), 'default')
const ModeratorsDialog = lazyPart(() => import('#features/cms/articles/categories/web/Moderators.tsx'), 'default')

const addressOf = ({ slug }: FaqCategoryRow) => `/faqcategories/${encodeURIComponent(slug)}/posts`

const columns: readonly Column<FaqCategoryRow>[] = [
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
  { id: 'total_faqs', header: 'FAQs', cell: (row) => countText(row.total_faqs), align: 'right', width: 90 },
  { id: 'published_faqs', header: 'Published', cell: (row) => countText(row.published_faqs), align: 'right', width: 100 },
  { id: 'moderated', header: 'Yours', cell: (row) => (row.moderated ? 'You moderate it' : ''), width: 140 },
  { id: 'updated_at', header: 'Changed', cell: (row) => <Moment at={row.updated_at} />, align: 'right', width: 130 },
]

const categoryList: ListOf<FaqCategoryRow, typeof FaqCategoryFilters> = {
  name: 'faq-categories',
  live: 'faq_category',
  endpoint: faqCategories.list,
  filters: FaqCategoryFilters,
  columns,
  rowKey: ({ id }) => id,
  rowName: ({ title }) => title,
}
export const prepareFaqCategories = (search: Record<string, unknown>) => prepareList(categoryList, search)

/** The categories of FAQs, as a tree; empty where they cannot be fetched (A §8). */
export function FaqCategoriesPage() {
  const list = useList(categoryList)
  const shown = list.error ? { ...list, rows: [], total: 0, error: null } : list
  return (
    <ListPage
      list={shown}
      actions={<NewCategory />}
      searchLabel="Search FAQ categories"
      rowAddress={addressOf}
      rowActions={categoryActs}
      card={categoryCard}
      unselectable
      empty={{ title: 'No FAQ categories here', text: 'Every FAQ stands in a category.', action: <NewCategory /> }}
    />
  )
}

const categoryActs = (row: FaqCategoryRow) => <CategoryActs category={row} />

const categoryCard = (row: FaqCategoryRow) => (
  <Card title={<NameLink to={addressOf(row)}>{row.title}</NameLink>} aside={`${countText(row.total_faqs)} FAQs`} actions={<CategoryActs category={row} />}>
    {row.slug}
  </Card>
)

function NewCategory() {
  const [open, setOpen] = useState(false)
  const may = useMay(faqCategories.create, { body: { title: '' } })
  return (
    <>
      {may && (
        <TextButton primary icon={<IconPlus size={14} aria-hidden />} onClick={() => setOpen(true)}>
          New category
        </TextButton>
      )}
      <Suspense>{open && <CategoryForm onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}

function CategoryActs({ category }: { category: FaqCategoryRow }) {
  const [open, setOpen] = useState<'edit' | 'moderators' | 'delete'>()
  const params = { id: String(category.id) }
  const why = whyNot(policies.category.update, useViewer(), { moderated: category.moderated })
  const mayEdit = useMay(faqCategories.update, { params, body: {} })
  const mayModerate = useMay(faqCategories.setModerators, { params, body: { staff_ids: [] } })
  const mayDelete = useMay(faqCategories.remove, { params })
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
        {open === 'edit' && <CategoryForm id={category.id} onClose={close} />}
        {open === 'moderators' && <ModeratorsDialog category={category} calls={faqCategories} of="FAQs" onClose={close} />}
        {open === 'delete' && <DeleteDialog category={category} onClose={close} />}
      </Suspense>
    </>
  )
}
