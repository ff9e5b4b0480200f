import { useRef } from 'react'
import type { QueryClient } from '@tanstack/react-query'
import { dayText, type PlainDate } from '#shared/dates.ts'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import { followUps } from '#features/crm/leads/follow-ups/contract.ts'
import { tabOf } from '#features/crm/leads/follow-ups/rules.ts'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { patchCachedReplies, useMay, useSend } from '#web/api/useSend.ts'
import { today } from '#web/time.ts'
import { useUndo, useUndoLast } from '#web/record/useUndo.ts'

/**
 * Returns functions that snooze a follow-up without confirmation, because it can be undone from its toast, and that
 * undo the last action made on this page.
 */
export function useSnooze() {
  const { announceAct } = useUndo()
  const undoLastAct = useUndoLast(false)
  const pending = useRef<Promise<void>>(undefined)
  const maySnooze = useMay(leadOperations.change, {
    body: { selection: {}, change: { kind: 'followup', followup_date: null } },
  })
  const { send } = useSend(leadOperations.change, {
    optimisticUpdate: ({ body: { selection, change } }, client) =>
      change.kind === 'followup'
        ? moveInQueue(client, Number(selection.ids?.[0]), change.followup_date, today())
        : () => {},
  })

  async function move({ lead_id, companyName }: Snoozed, followup_date: PlainDate): Promise<void> {
    const reply = await send({
      body: { selection: { ids: [lead_id] }, change: { kind: 'followup', followup_date } },
    })
    if (reply)
      announceAct(
        reply.operation ? `${companyName}: follow-up moved to ${dayText(followup_date)}.` : reply.message,
        reply.operation,
      )
  }
  function snooze(lead: Snoozed, followup_date: PlainDate): Promise<void> {
    pending.current = move(lead, followup_date)
    return pending.current
  }

  /** Undoes the last action, even if it is a snooze that is still in flight. */
  async function undoLast(): Promise<void> {
    await pending.current
    undoLastAct()
  }

  return { snooze, undoLast, maySnooze }
}

type Snoozed = Pick<LeadRow, 'lead_id' | 'companyName'>

/**
 * Moves a lead to the tab for its new date in the cached responses; returns a function that rolls this back.
 */
function moveInQueue(
  queries: QueryClient,
  id: number,
  followup_date: PlainDate | null,
  today: PlainDate,
): () => void {
  return patchCachedReplies(queries, followUps.listByTab, (reply) => {
    const lead = reply.data.leads.find(({ lead_id }) => lead_id === id)
    if (!lead) return reply
    const [from, to] = [tabOf(lead.followup_date, today), tabOf(followup_date, today)]
    const stays = from === to
    const leads = stays
      ? reply.data.leads.map((one) => (one === lead ? { ...lead, followup_date } : one))
      : reply.data.leads.filter((one) => one !== lead)
    const tabs = { ...reply.tabs }
    if (from) tabs[from] -= 1
    if (to) tabs[to] += 1
    return { ...reply, tabs, total: reply.total - (stays ? 0 : 1), data: { ...reply.data, leads } }
  })
}
