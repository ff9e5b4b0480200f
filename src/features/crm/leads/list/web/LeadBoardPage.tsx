import { leadBoard } from '#features/crm/leads/board.contract.ts'
import { leads, type LeadRow } from '#features/crm/leads/contract.ts'
import { OpenAmounts } from '#features/crm/leads/list/web/LaneAmounts.tsx'
import { useLeadColumns } from '#features/crm/leads/list/web/customColumns.tsx'
import { LeadBoard } from '#features/crm/leads/list/web/LeadBoard.tsx'
import { leadLayouts, leadList, type LeadPageFilters } from '#features/crm/leads/list/web/leadList.tsx'
import { listFilters } from '#features/crm/leads/list/web/listFilters.ts'
import { boardPeriod } from '#features/crm/leads/list/web/period.ts'
import { ImportLink, NewLead } from '#features/crm/leads/list/web/NewLead.tsx'
import { useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import type { Reply } from '#shared/endpoint.ts'
import { useMay } from '#web/api/useSend.ts'
import { usePages } from '#web/board/usePages.ts'
import { Filters } from '#web/list/Filters.tsx'
import { ListHead } from '#web/list/ListHead.tsx'
import { FailedList } from '#web/list/ListTable.tsx'
import { prepareList, useList, type ListOf } from '#web/list/useList.ts'
import { today, useToday } from '#web/time.ts'

// The lanes have exact numbers. The filters that stay open on the list would cover half of the board.
const { countedBy: _countedBy, storedPanel: _storedPanel, ...listAndBoard } = leadList

/**
 * The board has the filters and the order of the list, and no pages. A pipeline is not only of the leads of this
 * month, which the list begins with (A §9).
 */
const boardList: ListOf<LeadRow, typeof LeadPageFilters, Reply<typeof leadBoard.show>> = {
  ...listAndBoard,
  endpoint: leadBoard.show,
  toQuery: ({ page: _page, ...filters }) =>
    leadList.toQuery!({ ...filters, ...boardPeriod(filters), page: 1 }),
  rows: ({ data }) => data.flatMap(({ cards }) => cards),
  isSelectable: false,
  exportQuery: () => ({ pages: undefined }),
}

export const prepareLeadBoard = (search: Record<string, unknown>) =>
  prepareList(boardList, search, { query: { today: today() } })

/** The lead list as a board: a lane per status. */
export function LeadBoardPage() {
  const day = useToday()
  const { pages, onMore } = usePages()
  const options = useLeadOptions()
  // Views are of both layouts, so the board has the columns that they store.
  const definition = useLeadColumns(boardList)
  const list = useList(definition, { query: { today: day, pages } })
  const mayCreate = useMay(leads.create, { body: { companyName: '', lead_for: 1 } })
  const filters = listFilters(options, day, list, 'board')
  const { reply } = list
  return (
    <>
      <ListHead
        list={list}
        layouts={{
          layouts: leadLayouts,
          chosen: 'board',
          onChoose: () => void list.filterBy({ layout: undefined }),
        }}
      >
        {reply && <OpenAmounts lanes={reply.data} />}
        {mayCreate && <ImportLink />}
        {mayCreate && <NewLead />}
      </ListHead>
      <Filters list={list} filters={filters} tools={<></>} />
      {list.may &&
        (reply ? (
          <LeadBoard reply={reply} onMore={onMore} />
        ) : (
          list.error !== null && <FailedList list={list} />
        ))}
    </>
  )
}
