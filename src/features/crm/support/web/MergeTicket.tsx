import { useState } from 'react'
import { Button, Modal, Radio } from '@mantine/core'
import '@mantine/core/styles/Radio.css'
import { useQuery } from '@tanstack/react-query'
import type { Ticket, TicketRow } from '#features/crm/support/contract.ts'
import { ticketMerge } from '#features/crm/support/merge.contract.ts'
import { ChooseTicket } from '#features/crm/support/web/ChooseTicket.tsx'
import classes from '#features/crm/support/web/support.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { errorMessageOf } from '#web/api/errors.ts'
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
          tickets={[ticket, other]}
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

type Merged = Pick<TicketRow, 'id' | 'title' | 'requester' | 'organization' | 'linked_count'>

/** Names the requester with the organization, because two can have the same name. */
const requesterOf = ({ requester, organization }: Merged) =>
  [requester, organization].filter(Boolean).join(', ')

interface ConfirmProps {
  /** Two or more. */
  tickets: readonly Merged[]
  /** Label of the button that leaves this step. */
  back: string
  onBack: () => void
  onDone: () => void
}

/** The last step of a merge: which of the tickets stays. If one of them can't be merged, it says why. */
export function ConfirmMerge({ tickets, back, onBack, onDone }: ConfirmProps) {
  const [chosen, setChosen] = useState<number>()
  const [failure, setFailure] = useState<string>()
  const { announceAct } = useUndo()
  const { send, sending } = useSend(ticketMerge.merge, {
    failure: 'throw',
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  // Someone else may have merged the ticket that was chosen.
  const stays = tickets.find(({ id }) => id === chosen)?.id ?? proposedOf(tickets)
  const gone = tickets.filter(({ id }) => id !== stays).map(({ id }) => id)
  const [first, ...others] = gone
  async function merge(): Promise<void> {
    setFailure(undefined)
    try {
      const body = { into: stays, ...(others.length > 0 ? { others } : {}) }
      await send({ params: { ticket: first! }, body })
      // The page of a merged ticket leads to the ticket that stays.
      onDone()
    } catch (error) {
      setFailure(errorMessageOf(error))
    }
  }
  const them = others.length > 0 ? 'the others' : `#${first}`
  return (
    <div className={classes.merge}>
      <Radio.Group
        label="Which ticket stays?"
        value={String(stays)}
        onChange={(value) => setChosen(Number(value))}
      >
        <div className={classes.stays}>
          {tickets.map((one) => (
            <Radio
              key={one.id}
              value={String(one.id)}
              label={`#${one.id} ${one.title}`}
              description={requesterOf(one)}
            />
          ))}
        </div>
      </Radio.Group>
      <Soft>
        {`#${stays} gets the messages, comments, tags, and followers of ${them}, and keeps its own title, requester, status, and assignee. Replies to ${them} arrive in #${stays}. This can be undone.`}
      </Soft>
      {new Set(tickets.map(requesterOf)).size > 1 && (
        <p className={classes.warning} role="status">
          {`These tickets have different requesters. Replies go to that of #${stays} only.`}
        </p>
      )}
      {failure !== undefined && <p role="alert">{failure}</p>}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onBack}>
          {back}
        </Button>
        <Button loading={sending} onClick={() => void merge()}>
          {`Merge ${others.length > 0 ? `${gone.length} tickets` : them} into #${stays}`}
        </Button>
      </div>
    </div>
  )
}

/** An incident can't be merged into another ticket; otherwise, the oldest ticket usually has the longest conversation. */
const proposedOf = (tickets: readonly Merged[]): number =>
  Math.min(
    ...(tickets.some(({ linked_count }) => linked_count > 0)
      ? tickets.filter(({ linked_count }) => linked_count > 0)
      : tickets
    ).map(({ id }) => id),
  )
