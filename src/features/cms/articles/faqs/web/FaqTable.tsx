import type { ReactElement, ReactNode } from 'react'
import type { FaqRow } from '#features/cms/articles/faqs/contract.ts'
import type { PageFilters } from '#features/cms/articles/faqs/web/FaqsPage.tsx'
import type { Filter } from '#web/filter/filters.tsx'
import { Filters } from '#web/list/Filters.tsx'
import { ListHead } from '#web/list/ListHead.tsx'
import { ListTable } from '#web/list/ListTable.tsx'
import { Selected } from '#web/list/Selected.tsx'
import type { List } from '#web/list/useList.ts'

interface Props {
  list: List<FaqRow, typeof PageFilters>
  filters: readonly Filter<PageFilters>[]
  title?: string
  parents?: readonly (readonly [to: string, name: string])[]
  layouts?: ReactNode
  tabs?: ReactNode
  newFaq: ReactElement
  rowActions: (row: FaqRow) => ReactNode
}

/** FAQs as a table, in which they are ordered by dragging. */
export default function FaqTable({
  list,
  filters,
  title,
  parents,
  layouts,
  tabs,
  newFaq,
  rowActions,
}: Props) {
  return (
    <>
      <ListHead list={list} title={title} parents={parents}>
        {layouts}
        {newFaq}
      </ListHead>
      {tabs}
      <Filters list={list} filters={filters}>
        <Selected list={list} />
      </Filters>
      <ListTable
        list={list}
        label={title}
        filters={filters}
        rowActions={rowActions}
        empty={{ title: 'No FAQs to show', text: 'Create an FAQ to get started.', action: newFaq }}
      />
    </>
  )
}
