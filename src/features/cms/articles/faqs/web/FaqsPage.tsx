import { isNotFound } from '#web/api/errors.ts'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'
import type { ReactNode } from 'react'
import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { z } from 'zod'
import { recordId } from '#shared/schemas.ts'
import { useCategoryFilter } from '#features/cms/articles/categories/web/categoryFilter.tsx'
import { findCategoriesForFaq } from '#features/cms/articles/categories/web/findCategories.ts'
import { faqCategories } from '#features/cms/articles/faq-categories/contract.ts'
import { FaqFilters, faqs, type FaqRow } from '#features/cms/articles/faqs/contract.ts'
import { faqFields } from '#features/cms/articles/faqs/fields.ts'
import { DeleteFaq, FaqPlace, PublishFaq } from '#features/cms/articles/faqs/web/FaqActions.tsx'
import classes from '#features/cms/articles/faqs/web/faqs.module.css'
import { PublishedAt, PublishedState } from '#features/cms/articles/shared/web/PublishedState.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { Card, IfMay, NameLink } from '#web/list/cells.tsx'
import { columnsOfFields } from '#web/list/columns.ts'
import { choice } from '#web/filter/filters.tsx'
import { Filters } from '#web/list/Filters.tsx'
import { ListHead } from '#web/list/ListHead.tsx'
import { ListTable } from '#web/list/ListTable.tsx'
import { Selected } from '#web/list/Selected.tsx'
import { useAddress } from '#web/list/address/useAddress.ts'
import { prepareList, useList, type ListOf } from '#web/list/useList.ts'
import { Moment } from '#web/Moment.tsx'
import { TextLink } from '#web/parts/controls.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'

const addressOf = ({ slug }: FaqRow) => `/faqs/${encodeURIComponent(slug)}`

const columns = columnsOfFields<FaqRow, typeof faqFields>(faqFields, {
  order_number: { cell: (row) => <FaqPlace key={row.id} faq={row} /> },
  title: {
    cell: (row) => <NameLink to={addressOf(row)}>{row.title}</NameLink>,
    title: ({ title }) => title,
  },
  category_id: {
    cell: (row) => (
      <PageLink to={`/faqcategories/${encodeURIComponent(row.category_slug)}/posts`}>
        {row.category_title}
      </PageLink>
    ),
  },
  published: { header: 'Status', cell: ({ published }) => <PublishedState published={published} /> },
  published_at: { header: 'Published', cell: (row) => <PublishedAt at={row.published_at} /> },
  updated_at: { cell: (row) => <Moment at={row.updated_at} /> },
})

/** The page's category filter names the category by ID. */
const PageFilters = FaqFilters.extend({ category: recordId.optional() })
type PageFilters = z.output<typeof PageFilters>

const shared = {
  name: 'faqs',
  type: 'faq',
  filters: PageFilters,
  columns,
  rowKey: ({ id }: FaqRow) => id,
  rowName: ({ title }: FaqRow) => title,
  addressOf,
  card: (row: FaqRow) => faqCard(row),
  searchLabel: 'Search FAQs',
} as const
type Faqs = ListOf<FaqRow, typeof PageFilters>
const allFaqs: Faqs = { ...shared, endpoint: faqs.list }
const unpublishedFaqs: Faqs = { ...shared, endpoint: faqs.unpublished }
const faqsOfCategory: Faqs = { ...shared, endpoint: faqs.byCategory }

export const prepareFaqs = (search: Record<string, unknown>) => prepareList(allFaqs, search)

/** Page with all FAQs, ordered by category and position; unpublished FAQs have a separate tab. */
export function FaqsPage() {
  const [{ state }, filterBy] = useAddress(PageFilters)
  const isAll = state !== 0
  const tab = (name: string, on: boolean, wanted: 0 | undefined) => (
    <Button
      size="xs"
      variant={on ? 'light' : 'default'}
      aria-pressed={on}
      onClick={() => void filterBy({ state: wanted })}
    >
      {name}
    </Button>
  )
  return (
    <FaqList of={isAll ? allFaqs : unpublishedFaqs}>
      <div role="group" aria-label="Publication status" className={classes.tabs}>
        {tab('All', isAll, undefined)}
        {tab('Unpublished', !isAll, 0)}
      </div>
    </FaqList>
  )
}

export function CategoryFaqsPage() {
  const { category = '' } = useParams({ strict: false }) as { category?: string }
  const { data, error } = useQuery(queryOptionsFor(faqCategories.show, { params: { id: category } }))
  if (isNotFound(error)) return <NotFoundPage />
  return (
    <FaqList
      of={faqsOfCategory}
      title={data ? `FAQs in ${data.data.title}` : 'FAQs by category'}
      parents={[['/faqcategories', 'FAQ categories']]}
      params={{ category }}
    />
  )
}

interface Props {
  of: Faqs
  title?: string
  parents?: readonly (readonly [to: string, name: string])[]
  params?: Record<string, string>
  /** The tabs. */
  children?: ReactNode
}

function FaqList({ of, title, parents, params, children }: Props) {
  const list = useList(of, params ? { params } : {})
  const byCategory = useCategoryFilter<PageFilters>(findCategoriesForFaq, list.filters.category)
  const newFaq = (
    <IfMay endpoint={faqs.create}>
      <TextLink primary to="/faqs/new-faq" icon={<IconPlus size={14} aria-hidden />}>
        New FAQ
      </TextLink>
    </IfMay>
  )
  const filters = [
    params
      ? choice<PageFilters>('state', 'Status', 'All statuses', [
          [0, 'Unpublished'],
          [1, 'Published'],
        ])
      : byCategory,
  ]
  return (
    <>
      <ListHead list={list} title={title} parents={parents}>
        {newFaq}
      </ListHead>
      <Filters list={list} filters={filters}>
        <Selected list={list} />
      </Filters>
      {children}
      <ListTable
        list={list}
        label={title}
        filters={filters}
        rowActions={faqActs}
        empty={{ title: 'No FAQs to show', text: 'Create an FAQ to get started.', action: newFaq }}
      />
    </>
  )
}

const faqActs = (row: FaqRow) => (
  <>
    <PublishFaq faq={row} />
    <DeleteFaq faq={row} />
  </>
)

const faqCard = (row: FaqRow) => (
  <Card
    title={<NameLink to={addressOf(row)}>{row.title}</NameLink>}
    aside={<PublishedState published={row.published} />}
    actions={
      <>
        {<FaqPlace key={row.id} faq={row} />}
        {faqActs(row)}
      </>
    }
  >
    {row.category_title} · {row.author.name}
  </Card>
)
