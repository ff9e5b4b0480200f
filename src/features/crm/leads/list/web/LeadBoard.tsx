import { Suspense, useState } from 'react'
import { leadBoard } from '#features/crm/leads/board.contract.ts'
import { leads, type LeadOptions, type LeadRow } from '#features/crm/leads/contract.ts'
import { useAllProducts } from '#web/shell/useScope.ts'
import { LaneAmounts } from '#features/crm/leads/list/web/LaneAmounts.tsx'
import { shortAmountOf } from '#features/crm/leads/record/web/leadAmounts.ts'
import { leadAddress } from '#features/crm/leads/record/web/LeadLink.tsx'
import {
  entryById,
  tonedEntryById,
  useLeadOptions,
  useWinDialog,
  type WinProps,
} from '#features/crm/leads/record/web/LeadOptions.tsx'
import { useLeadRights } from '#features/crm/leads/record/web/LeadRights.tsx'
import { StuckMark } from '#features/crm/leads/record/web/StuckMark.tsx'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import classes from '#features/crm/leads/list/web/leadBoard.module.css'
import type { Reply } from '#shared/endpoint.ts'
import { patchCachedReplies, useSend } from '#web/api/useSend.ts'
import { Board, type BoardLane } from '#web/board/Board.tsx'
import type { CardTexts } from '#web/board/CardFace.tsx'
import { moveCard, type Lane } from '#web/board/lanes.ts'
import type { Move } from '#web/board/useLift.ts'
import { Flag, Tone } from '#web/parts/Tone.tsx'
import { LastAct } from '#web/record/LastAct.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { countText } from '#web/time.ts'

const RejectLead = lazyPart(() => import('#features/crm/leads/record/web/RejectLead.tsx'))

type LeadLane = Reply<typeof leadBoard.show>['data'][number]

interface Props {
  reply: Reply<typeof leadBoard.show>
  onMore: (lane: Lane<LeadRow>) => void
}

interface Rejecting {
  lead: LeadRow
  onClose: (isRejected: boolean) => void
}

/** Leads by status. A drop sets the status; a drop on Rejected asks for the reason first. */
export function LeadBoard({ reply, onMore }: Props) {
  const { colors, products, statuses } = useLeadOptions()
  const shown = useAllProducts() ? products : undefined
  const { setStatus, reject } = useLeadRights()
  const [rejecting, setRejecting] = useState<Rejecting>()
  const [winning, setWinning] = useState<WinProps>()
  const askToWin = useWinDialog()
  const setLeadStatus = useSetLeadStatus()
  const onMove = (move: Move<LeadRow>) => {
    const lane = reply.data.find(({ id }) => id === move.to)!
    const isWin = statuses.some(({ id, is_won }) => id === move.to && is_won)
    if (isWin && askToWin)
      return new Promise<boolean>((resolve) => {
        let isSet = false
        setWinning({
          lead: move.card,
          onWithout: () => {
            isSet = true
            void setLeadStatus(move.card, lane).then(resolve)
          },
          onClose: () => {
            setWinning(undefined)
            // Created organizations set the status too, which the refetched board shows.
            if (!isSet) resolve(false)
          },
        })
      })
    if (move.to !== rejectedStatus) return setLeadStatus(move.card, lane)
    return new Promise<boolean>((resolve) => {
      const onClose = (isRejected: boolean) => {
        setRejecting(undefined)
        resolve(isRejected)
      }
      setRejecting({ lead: move.card, onClose })
    })
  }
  return (
    <>
      <Board
        name="leads"
        label="Leads by status"
        lanes={reply.data.filter(({ id }) => id !== rejectedStatus || reject).map(laneOf)}
        words={['lead', 'leads']}
        keyOf={keyOf}
        nameOf={nameOf}
        addressOf={leadAddress}
        texts={textsWith(colors, shown)}
        isOrdered={false}
        mayMove={setStatus || reject}
        onMove={onMove}
        onMore={onMore}
      >
        <LastAct undoKey />
      </Board>
      {winning && askToWin?.(winning)}
      {rejecting && (
        <Suspense>
          <RejectLead
            lead={rejecting.lead}
            version={rejecting.lead.version}
            onRejected={() => rejecting.onClose(true)}
            onClose={() => rejecting.onClose(false)}
          />
        </Suspense>
      )}
    </>
  )
}

function useSetLeadStatus() {
  const { announceAct } = useUndo()
  const { send } = useSend(leads.changeLeadStatus, {
    optimisticUpdate: ({ query }, queries) =>
      patchCachedReplies(queries, leadBoard.show, (shown) =>
        withStatus(shown, Number(query.id), Number(query.status)),
      ),
  })
  return async ({ lead_id, companyName, version }: LeadRow, { id, name }: LeadLane) => {
    const done = await send({ query: { id: lead_id, status: id, version } })
    if (done) announceAct(`${companyName} moved to ${name}.`, done.operation)
    return done !== undefined
  }
}

/** A moved lead is on top of its lane until the lanes have been fetched again. */
function withStatus(shown: Props['reply'], id: number, status: number): Props['reply'] {
  const first = shown.data.find((lane) => lane.id === status)?.cards[0]?.lead_id ?? 0
  return { ...shown, data: moveCard(shown.data, keyOf, id, status, first) }
}

const keyOf = ({ lead_id }: LeadRow) => lead_id
const nameOf = ({ companyName }: LeadRow) => companyName

const laneOf = (lane: LeadLane): BoardLane<LeadRow> => ({
  ...lane,
  title: <Tone tone={lane.tone}>{lane.name}</Tone>,
  note: lane.overdue > 0 && <span className={classes.overdue}>{countText(lane.overdue)} overdue</span>,
  sum: lane.amounts.length > 0 && <LaneAmounts lane={lane} />,
  isFolded: lane.is_closed,
})

const noPriority = 0

const textsWith =
  (colors: LeadOptions['colors'], products: LeadOptions['products'] | undefined) =>
  (lead: LeadRow): CardTexts => {
    const color = tonedEntryById(colors, lead.color)
    return {
      title: lead.companyName,
      warning: <StuckMark lead={lead} />,
      text: [products && entryById(products, lead.lead_for).name, lead.contactName, lead.country]
        .filter(Boolean)
        .join(' · '),
      amount: shortAmountOf(lead),
      mark: lead.color === noPriority ? undefined : <Flag tone={color.tone}>{color.name}</Flag>,
      due: {
        day: lead.followup_date,
        isOpen: lead.status !== rejectedStatus,
        label: 'Follow-up',
        none: 'No follow-up',
      },
      assignee: lead.assigned_name,
    }
  }
