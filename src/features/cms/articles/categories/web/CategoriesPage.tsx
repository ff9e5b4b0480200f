import { categories, CategoryFilters, type CategoryRow } from '#features/cms/articles/categories/contract.ts'
import { categoryFields } from '#features/cms/articles/categories/fields.ts'
import {
  CategoryActs,
  categoryCard,
  categoryColumns,
  NewCategoryButton,
} from '#features/cms/articles/categories/web/categoryList.tsx'
import classes from '#features/cms/articles/categories/web/categories.module.css'
import { ListPage } from '#web/list/ListPage.tsx'
import { EmptyState } from '#web/list/states.tsx'
import { useList, type ListOf } from '#web/list/useList.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { useScope } from '#web/shell/useScope.ts'

const CategoryForm = lazyPart(
  () => import('#features/cms/articles/categories/web/CategoryForm.tsx'),
  'default',
)
const DeleteDialog = lazyPart(
  () => import('#features/cms/articles/categories/web/DeleteCategory.tsx'),
  'default',
)
const ModeratorsDialog = lazyPart(
  () => import('#features/cms/articles/categories/web/Moderators.tsx'),
  'default',
)

const addressOf = ({ slug }: CategoryRow) => `/categories/${encodeURIComponent(slug)}/posts`

const iconOf = ({ icon_file: icon }: CategoryRow) =>
  icon && <img className={classes.icon} src={icon.small_url ?? icon.url} alt="" />

const categoryList: ListOf<CategoryRow, typeof CategoryFilters> = {
  name: 'categories',
  live: 'category',
  endpoint: categories.list,
  filters: CategoryFilters,
  columns: categoryColumns(categoryFields, addressOf, ['total_posts', 'published_posts'], iconOf),
  rowKey: ({ id }) => id,
  rowName: ({ title }) => title,
  scopedBy: 'product_id',
  addressOf,
  card: (row) => categoryCard(row, addressOf(row), { what: 'posts', all: 'total_posts' }, categoryActs(row)),
  searchLabel: 'Search categories',
}

/** Page with the categories of the chosen product, as a tree. */
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
  const newCategory = <NewCategoryButton form={newIn(scope)} />
  return (
    <ListPage
      list={list}
      actions={newCategory}
      rowActions={categoryActs}
      empty={{
        title: 'No categories yet',
        text: 'Create a category first. Every post needs one.',
        action: newCategory,
      }}
    />
  )
}

const newIn = (product_id: number) => (close: () => void) => (
  <CategoryForm product_id={product_id} onClose={close} />
)

const categoryActs = (row: CategoryRow) => (
  <CategoryActs
    category={row}
    calls={categories}
    dialogs={{
      edit: (close) => <CategoryForm product_id={row.product_id} id={row.id} onClose={close} />,
      moderators: (close) => <ModeratorsDialog category={row} onClose={close} />,
      delete: (close) => <DeleteDialog category={row} onClose={close} />,
    }}
  />
)
