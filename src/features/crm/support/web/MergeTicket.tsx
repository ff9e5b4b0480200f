import { useState } from 'react'
import { Button, Modal, Radio } from '@mantine/core'
import '@mantine/core/styles/Radio.css'
import { useQuery } from '@tanstack/react-query'
import type { Ticket, TicketRow } from '#features/crm/support/contract.ts'
import { ticketMerge } from '#features/crm/support/merge.contract.ts'
import { ChooseTicket } from '#features/crm/support/web/ChooseTicket.tsx'
import classes from '#features/crm/support/web/support.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { useDialog } from '#web/parts/useDialog.ts'
import { useUndo } from '#web/record/useUndo.ts'

interface Props {
  ticket: Ticket
  onClose: () => void
}

/** Dialog for merging a ticket with another one: those of the same people first, and others by search. */
export default function MergeTicket({ ticket, onClose }: Props) {
  const dialog = useDialog()
  const [other, setOther] = useState<TicketRow>()
  return (
    <Modal {...dialog} opened onClose={onClose} title={`Merge #${ticket.id} ${ticket.title}`} size="lg">
      {other ? (
        <ConfirmMerge
          pair={[ticket, other]}
          back="Choose another"
          onBack={() => setOther(undefined)}
          onDone={onClose}
        />
      ) : (
        <Choose ticket={ticket} onChoose={setOther} />
      )}
    </Modal>
  )
}

function Choose({ ticket, onChoose }: { ticket: Ticket; onChoose: (other: TicketRow) => void }) {
  const similar = useQuery(queryOptionsFor(ticketMerge.similar, { params: { ticket: ticket.id } }))
  return (
    <ChooseTicket
      label="Search for the other ticket"
      offered={similar}
      nothing="No other tickets of these people. Search for the ticket to merge."
      except={[ticket.id]}
      onChoose={onChoose}
    />
  )
}

type Merged = Pick<TicketRow, 'id' | 'title' | 'requester'>

interface ConfirmProps {
  pair: readonly [Merged, Merged]
  /** Label of the button that leaves this step. */
  back: string
  onBack: () => void
  onDone: () => void
}

/** The last step of a merge: which of two tickets stays. */
export function ConfirmMerge({ pair, back, onBack, onDone }: ConfirmProps) {
  const [ticket, other] = pair
  // The older ticket usually has the longer conversation.
  const [stays, setStays] = useState(Math.min(ticket.id, other.id))
  const { announceAct } = useUndo()
  const { send, sending } = useSend(ticketMerge.merge, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const [kept, gone] = stays === ticket.id ? [ticket, other] : [other, ticket]
  async function merge(): Promise<void> {
    if (!(await send({ params: { ticket: gone.id }, body: { into: kept.id } }))) return
    // The page of a merged ticket leads to the ticket that stays.
    onDone()
  }
  return (
    <div className={classes.merge}>
      <Radio.Group
        label="Which ticket stays?"
        value={String(stays)}
        onChange={(value) => setStays(Number(value))}
      >
        <div className={classes.stays}>
          {pair.map(({ id, title, requester }) => (
            <Radio key={id} value={String(id)} label={`#${id} ${title}`} description={requester} />
          ))}
        </div>
      </Radio.Group>
      <Soft>
        {`#${kept.id} gets the messages, comments, tags, and followers of #${gone.id}, and keeps its own title, requester, status, and assignee. Replies to #${gone.id} arrive in #${kept.id}. This can be undone.`}
      </Soft>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onBack}>
          {back}
        </Button>
        <Button loading={sending} onClick={() => void merge()}>
          {`Merge #${gone.id} into #${kept.id}`}
        </Button>
      </div>
    </div>
  )
}
