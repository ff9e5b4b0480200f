import { isNotFound } from '#web/api/errors.ts'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'
import { Suspense } from 'react'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { z } from 'zod'
import { recordId } from '#shared/schemas.ts'
import { useCategoryFilter } from '#features/cms/articles/categories/web/categoryFilter.tsx'
import { findCategoriesForFaq } from '#features/cms/articles/categories/web/findCategories.ts'
import { categories } from '#features/cms/articles/categories/contract.ts'
import { FaqFilters, faqs, type FaqRow } from '#features/cms/articles/faqs/contract.ts'
import { faqFields } from '#features/cms/articles/faqs/fields.ts'
import { DeleteFaq, FaqPlace, PublishFaq } from '#features/cms/articles/faqs/web/FaqActions.tsx'
import classes from '#features/cms/articles/faqs/web/faqs.module.css'
import { PublishedAt, PublishedState } from '#features/cms/articles/shared/web/PublishedState.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { Card, IfMay, NameLink } from '#web/list/cells.tsx'
import { columnsOfFields } from '#web/list/columns.ts'
import { choice } from '#web/filter/filters.tsx'
import { InboxPage } from '#web/list/inbox/InboxPage.tsx'
import type { InboxLines } from '#web/list/inbox/InboxRow.tsx'
import { LayoutSwitch } from '#web/list/inbox/LayoutSwitch.tsx'
import { inboxParameters, useLayout } from '#web/list/inbox/useLayout.ts'
import { LoadingState } from '#web/list/states.tsx'
import { useAddress } from '#web/list/address/useAddress.ts'
import { prepareList, useList, type ListOf } from '#web/list/useList.ts'
import { Moment } from '#web/Moment.tsx'
import { TextLink } from '#web/parts/controls.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { FilterTab, FilterTabs } from '#web/parts/Tabs.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

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
export const PageFilters = FaqFilters.extend({ category: recordId.optional(), ...inboxParameters })
export type PageFilters = z.output<typeof PageFilters>

const shared = {
  name: 'faqs',
  type: 'faq',
  filters: PageFilters,
  toQuery: ({ layout: _layout, open: _open, ...rest }: PageFilters) => rest,
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

const FaqTable = lazyPart(() => import('#features/cms/articles/faqs/web/FaqTable.tsx'))
const FaqPane = lazyPart(() => import('#features/cms/articles/faqs/web/FaqPane.tsx'))

/** Page with all FAQs, ordered by category and position, with the open one as readers see it, or as a table. */
export function FaqsPage() {
  const [{ state }, filterBy] = useAddress(PageFilters)
  const isAll = state !== 0
  const list = useList(isAll ? allFaqs : unpublishedFaqs)
  const { layout, choose } = useLayout(list)
  const byCategory = useCategoryFilter<PageFilters>(findCategoriesForFaq, list.filters.category)
  const tabs = (
    <FilterTabs label="Publication status">
      <FilterTab isCurrent={isAll} onClick={() => void filterBy({ state: undefined, open: undefined })}>
        All
      </FilterTab>
      <FilterTab isCurrent={!isAll} onClick={() => void filterBy({ state: 0, open: undefined })}>
        Unpublished
      </FilterTab>
    </FilterTabs>
  )
  const layouts = <LayoutSwitch layouts={['inbox', 'table']} chosen={layout} onChoose={choose} />
  if (layout === 'table')
    return (
      <Suspense fallback={<LoadingState />}>
        <FaqTable {...parts} list={list} filters={[byCategory]} layouts={layouts} tabs={tabs} />
      </Suspense>
    )
  return (
    <InboxPage
      list={list}
      actions={
        <>
          {layouts}
          {newFaq}
        </>
      }
      above={tabs}
      filters={[byCategory]}
      empty={{ title: 'No FAQs to show', text: 'Create an FAQ to get started.', action: newFaq }}
      lines={linesOf}
      Pane={FaqPane}
      nothingOpen="No FAQ open"
    />
  )
}

const linesOf = (row: FaqRow): InboxLines => ({
  title: row.title,
  at: row.updated_at,
  from: `${row.category_title} · ${row.author.name}`,
  status: (
    <span className={classes.rowState}>
      {row.published === 0 && <PublishedState published={0} />}
      <FaqPlace key={row.id} faq={row} />
    </span>
  ),
})

export function CategoryFaqsPage() {
  const { category = '' } = useParams({ strict: false }) as { category?: string }
  const { data, error } = useQuery(queryOptionsFor(categories.faq.show, { params: { id: category } }))
  const list = useList(faqsOfCategory, { params: { category } })
  if (isNotFound(error)) return <NotFoundPage />
  return (
    <Suspense fallback={<LoadingState />}>
      <FaqTable
        {...parts}
        list={list}
        filters={[byState]}
        title={data ? `FAQs in ${data.data.title}` : 'FAQs by category'}
        parents={[['/faqcategories', 'FAQ categories']]}
      />
    </Suspense>
  )
}

const byState = choice<PageFilters>('state', 'Status', 'All statuses', [
  [0, 'Unpublished'],
  [1, 'Published'],
])

const newFaq = (
  <IfMay endpoint={faqs.create}>
    <TextLink primary to="/faqs/new-faq" icon={<IconPlus size={14} aria-hidden />}>
      New FAQ
    </TextLink>
  </IfMay>
)

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

/** Props of every table of FAQs. */
const parts = { newFaq, rowActions: faqActs }
