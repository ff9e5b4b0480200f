import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ActionIcon } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { support, TicketFilters, ticketsPerPage, type TicketRow } from '#features/crm/support/contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { keepView, readView } from '#features/crm/support/web/ticketView.ts'
import { ticketAddress } from '#features/crm/support/web/ticketWords.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { toAddress } from '#web/list/fromAddress.ts'
import { usePageKeys } from '#web/keys/usePageKeys.ts'

/**
 * Controls for stepping through the ticket list that was last viewed in this tab, in its current state.
 * Renders nothing without such a list, or if the ticket isn't in it.
 */
export function TicketSteps({ id }: { id: number }) {
  const [view] = useState(readView)
  const may = useMay(support.list, { query: {} })
  return view && may ? <Steps id={id} view={view} /> : null
}

interface Placed {
  row: TicketRow
  /** 1-based position in the whole list. */
  position: number
}

function Steps({ id, view }: { id: number; view: TicketFilters }) {
  const navigate = useNavigate()
  const here = usePage(view, view.page, true)
  const at = here.placed.findIndex(({ row }) => row.id === id)
  // Replying to a ticket moves it to the top of the list.
  const first = usePage(view, 1, at === -1 && here.isThere && view.page > 1)
  const before = usePage(view, view.page - 1, view.page > 1 && (at === 0 || at === -1))
  const after = usePage(
    view,
    view.page + 1,
    here.total > view.page * ticketsPerPage && (at === ticketsPerPage - 1 || at === -1),
  )
  const known = new Map(
    [first, before, here, after].flatMap(({ placed }) => placed.map((one) => [one.position, one] as const)),
  )
  const position = [...known.values()].find(({ row }) => row.id === id)?.position
  const previous = position === undefined ? undefined : known.get(position - 1)
  const next = position === undefined ? undefined : known.get(position + 1)
  const go = (to: Placed | undefined) => {
    if (!to) return
    keepView({ ...view, page: Math.ceil(to.position / ticketsPerPage) })
    // Replace this history entry, so that the browser's Back button leads to the list.
    void navigate({ to: ticketAddress(to.row), replace: true })
  }
  usePageKeys({ j: () => go(next), k: () => go(previous) })
  if (position === undefined) return null
  return (
    <nav aria-label="Ticket navigation" className={classes.buttons}>
      <ActionIcon
        variant="default"
        size={30}
        aria-label="Previous ticket"
        title="Previous ticket (k)"
        disabled={!previous}
        onClick={() => go(previous)}
      >
        <IconChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <span
        className={classes.soft}
      >{`${position.toLocaleString('en-US')} of ${here.total.toLocaleString('en-US')}`}</span>
      <ActionIcon
        variant="default"
        size={30}
        aria-label="Next ticket"
        title="Next ticket (j)"
        disabled={!next}
        onClick={() => go(next)}
      >
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    </nav>
  )
}

/**
 * Sends exactly the same query as the list, so that the response is already cached for viewers who come from
 * the list.
 */
function usePage(
  view: TicketFilters,
  page: number,
  wanted: boolean,
): { placed: Placed[]; total: number; isThere: boolean } {
  const asked = queryOptionsFor(support.list, {
    query: toAddress(TicketFilters, { ...view, page: Math.max(1, page) }),
  })
  const { data } = useQuery({ ...asked, enabled: wanted })
  const placed =
    wanted && data
      ? data.data.map((row, index) => ({ row, position: (page - 1) * ticketsPerPage + index + 1 }))
      : []
  return { placed, total: data?.total ?? 0, isThere: data !== undefined }
}
