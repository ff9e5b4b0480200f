import { useState } from 'react'
import { Button, Checkbox, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type TicketRow, tickets } from '#features/crm/support/contract.ts'
import { desk } from '#features/crm/support/desk.contract.ts'
import { incidents, type IncidentTicket } from '#features/crm/support/incidents.contract.ts'
import classes from '#features/crm/support/web/incidents/incidents.module.css'
import { Lines } from '#features/crm/support/web/TicketLines.tsx'
import { TicketState } from '#features/crm/support/web/ticketWords.tsx'
import { useTicketChange } from '#features/crm/support/web/useTicketChange.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { useLists } from '#web/filter/useOptions.ts'
import { Loaded } from '#web/list/states.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { useDialog } from '#web/parts/useDialog.ts'

interface Props {
  ticket: Pick<TicketRow, 'id' | 'title'>
  /** The status to set. */
  status: number
  onClose: () => void
}

/** Dialog for setting the status of an incident, and of the tickets that are linked to it, in one operation. */
export default function IncidentStatus({ ticket, status, onClose }: Props) {
  const dialog = useDialog()
  const { ticket_statuses } = useLists('ticket_statuses')
  const name = ticket_statuses.find(({ id }) => id === status)?.name ?? `#${status}`
  const query = useQuery(queryOptionsFor(incidents.show, { params: { ticket: ticket.id } }))
  return (
    <Modal {...dialog} opened onClose={onClose} title={`Set #${ticket.id} ${ticket.title} to ${name}?`}>
      <Loaded query={query}>
        {({ data }) => (
          <Form ticket={ticket} status={status} name={name} linked={data.linked} onClose={onClose} />
        )}
      </Loaded>
    </Modal>
  )
}

interface FormProps extends Props {
  name: string
  linked: readonly IncidentTicket[]
}

function Form({ ticket: { id }, status, name, linked, onClose }: FormProps) {
  const [isForAll, setForAll] = useState(true)
  const change = useTicketChange()
  const { send: setMany, sending: settingMany } = useSend(desk.changeMany, change)
  const { send: setOne, sending: settingOne } = useSend(tickets.changeStatus, change)
  const others = linked.filter((one) => one.status !== status)
  async function set(): Promise<void> {
    const ids = [id, ...others.map((one) => one.id)]
    const reply =
      isForAll && others.length > 0
        ? await setMany({ body: { selection: { ids }, change: { kind: 'status', status } } })
        : await setOne({ params: { ticket: id, status } })
    if (reply) onClose()
  }
  return (
    <div className={classes.ask}>
      {others.length === 0 ? (
        <Soft>{`The linked tickets are already ${name}.`}</Soft>
      ) : (
        <>
          <Checkbox
            label={
              others.length === 1 ? 'Also set the linked ticket' : `Also set ${others.length} linked tickets`
            }
            checked={isForAll}
            onChange={({ currentTarget }) => setForAll(currentTarget.checked)}
          />
          <Lines>
            {others.map((one) => (
              <li key={one.id}>
                <div>
                  <span>{`#${one.id} ${one.title}`}</span>
                  <TicketState id={one.status} />
                </div>
              </li>
            ))}
          </Lines>
        </>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={settingMany || settingOne} onClick={() => void set()}>
          {`Set ${name}`}
        </Button>
      </div>
    </div>
  )
}
