import type { z } from 'zod'
import type { Fields } from '#shared/field.ts'
import { recordTypes } from '#shared/records.ts'
import {
  categories,
  CategoryFilters,
  categoryKindRows,
  FaqCategoryFilters,
  type CategoryKind,
  type CategoryRow,
} from '#features/cms/articles/categories/contract.ts'
import { categoryFieldsOf } from '#features/cms/articles/categories/fields.ts'
import { CategoryActs, NewCategory } from '#features/cms/articles/categories/web/CategoryActs.tsx'
import classes from '#features/cms/articles/categories/web/categories.module.css'
import { Card, NameLink } from '#web/list/cells.tsx'
import { columnsOfFields } from '#web/list/columns.ts'
import { ListPage } from '#web/list/ListPage.tsx'
import { EmptyState } from '#web/list/states.tsx'
import { prepareList, useList, type List, type ListOf } from '#web/list/useList.ts'
import { Moment } from '#web/Moment.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { useScope } from '#web/shell/useScope.ts'
import { countText } from '#web/time.ts'

type FiltersSchema = z.ZodType<CategoryFilters>

const actsOf = (kind: CategoryKind) => (row: CategoryRow) => <CategoryActs kind={kind} category={row} />

const listOf = (
  kind: CategoryKind,
  of: Pick<ListOf<CategoryRow, FiltersSchema>, 'name' | 'filters' | 'scopedBy'>,
): ListOf<CategoryRow, FiltersSchema> => {
  const { type, base, content } = categoryKindRows[kind]
  const addressOf = ({ slug }: CategoryRow) => `/${base}/${encodeURIComponent(slug)}/posts`
  const total = `total_${content}` as const
  const published = `published_${content}` as const
  return {
    ...of,
    endpoint: categories[kind].list,
    columns: columnsOfFields<CategoryRow, Fields>(categoryFieldsOf[kind], {
      title: {
        cell: (row) => (
          <span style={{ paddingLeft: Math.min(row.depth, 8) * 18 }}>
            {row.icon_file && (
              <img className={classes.icon} src={row.icon_file.small_url ?? row.icon_file.url} alt="" />
            )}
            <NameLink to={addressOf(row)}>{row.title}</NameLink>
          </span>
        ),
        title: ({ title }) => title,
      },
      [total]: { cell: (row) => countText(row[total]!) },
      [published]: { cell: (row) => countText(row[published]!) },
      updated_at: { cell: (row) => <Moment at={row.updated_at} /> },
    }),
    rowKey: ({ id }) => id,
    rowName: ({ title }) => title,
    addressOf,
    card: (row) => (
      <Card
        title={<NameLink to={addressOf(row)}>{row.title}</NameLink>}
        aside={`${countText(row[total]!)} ${recordTypes[kind].many}`}
        actions={actsOf(kind)(row)}
      >
        {row.slug}
      </Card>
    ),
    searchLabel: `Search ${recordTypes[type].many}`,
  }
}

const lists = {
  post: listOf('post', { name: 'categories', filters: CategoryFilters, scopedBy: 'product_id' }),
  faq: listOf('faq', { name: 'faq-categories', filters: FaqCategoryFilters }),
}
export const prepareFaqCategories = (search: Record<string, unknown>) => prepareList(lists.faq, search)

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
  return <PostCategories product_id={scope} />
}

function PostCategories({ product_id }: { product_id: number }) {
  return <Categories kind="post" list={useList(lists.post)} product_id={product_id} />
}

/** Page with the tree of FAQ categories; the tree is empty if the call fails (A §8). */
export function FaqCategoriesPage() {
  const list = useList(lists.faq)
  return <Categories kind="faq" list={list.error ? { ...list, rows: [], total: 0, error: null } : list} />
}

interface Props {
  kind: CategoryKind
  list: List<CategoryRow, FiltersSchema>
  product_id?: number
}

function Categories({ kind, list, product_id }: Props) {
  const newCategory = <NewCategory kind={kind} product_id={product_id} />
  return (
    <ListPage
      list={list}
      actions={newCategory}
      rowActions={actsOf(kind)}
      empty={{
        title: `No ${recordTypes[categoryKindRows[kind].type].many} yet`,
        text: `Create a category first. Every ${recordTypes[kind].one} needs one.`,
        action: newCategory,
      }}
    />
  )
}
