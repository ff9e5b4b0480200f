import {
  CategoryActs,
  categoryCard,
  categoryColumns,
  NewCategoryButton,
} from '#features/cms/articles/categories/web/categoryList.tsx'
import {
  faqCategories,
  FaqCategoryFilters,
  type FaqCategoryRow,
} from '#features/cms/articles/faq-categories/contract.ts'
import { faqCategoryFields } from '#features/cms/articles/faq-categories/fields.ts'
import { ListPage } from '#web/list/ListPage.tsx'
import { prepareList, useList, type ListOf } from '#web/list/useList.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const CategoryForm = lazyPart(
  () => import('#features/cms/articles/faq-categories/web/FaqCategoryForm.tsx'),
  'default',
)
const DeleteDialog = lazyPart(
  () => import('#features/cms/articles/faq-categories/web/DeleteFaqCategory.tsx'),
  'default',
)
const ModeratorsDialog = lazyPart(
  () => import('#features/cms/articles/categories/web/Moderators.tsx'),
  'default',
)

const addressOf = ({ slug }: FaqCategoryRow) => `/faqcategories/${encodeURIComponent(slug)}/posts`

const categoryList: ListOf<FaqCategoryRow, typeof FaqCategoryFilters> = {
  name: 'faq-categories',
  live: 'faq_category',
  endpoint: faqCategories.list,
  filters: FaqCategoryFilters,
  columns: categoryColumns(faqCategoryFields, addressOf, ['total_faqs', 'published_faqs']),
  rowKey: ({ id }) => id,
  rowName: ({ title }) => title,
  addressOf,
  card: (row) => categoryCard(row, addressOf(row), { what: 'FAQs', all: 'total_faqs' }, categoryActs(row)),
  searchLabel: 'Search FAQ categories',
}
export const prepareFaqCategories = (search: Record<string, unknown>) => prepareList(categoryList, search)

/** Page with the tree of FAQ categories; the tree is empty if the call fails (A §8). */
export function FaqCategoriesPage() {
  const list = useList(categoryList)
  const shown = list.error ? { ...list, rows: [], total: 0, error: null } : list
  const newCategory = <NewCategoryButton form={newOne} />
  return (
    <ListPage
      list={shown}
      actions={newCategory}
      rowActions={categoryActs}
      empty={{
        title: 'No FAQ categories yet',
        text: 'Create a category first. Every FAQ needs one.',
        action: newCategory,
      }}
    />
  )
}

const newOne = (close: () => void) => <CategoryForm onClose={close} />

const categoryActs = (row: FaqCategoryRow) => (
  <CategoryActs
    category={row}
    calls={faqCategories}
    dialogs={{
      edit: (close) => <CategoryForm id={row.id} onClose={close} />,
      moderators: (close) => (
        <ModeratorsDialog category={row} calls={faqCategories} of="FAQs" onClose={close} />
      ),
      delete: (close) => <DeleteDialog category={row} onClose={close} />,
    }}
  />
)
