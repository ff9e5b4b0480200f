import { Button, Kbd } from '@mantine/core'
import type { TaskCustomer } from '#features/crm/support/task-notices/contract.ts'
import { isLeft, noteOn, NoticeState } from '#features/crm/support/task-notices/web/noticeStates.tsx'
import classes from '#features/crm/support/task-notices/web/task-notices.module.css'
import { Soft } from '#web/parts/Soft.tsx'

interface Props {
  customers: readonly TaskCustomer[]
  current: number | undefined
  /** Number of customers whose tickets the viewer can't see. */
  hidden: number
  onOpen: (ticket: number) => void
  /** Undoes the last message or skip; undefined if there is none to undo. */
  onUndo: (() => void) | undefined
}

/** The queue of customers, with what became of each. */
export function CustomerList({ customers, current, hidden, onOpen, onUndo }: Props) {
  const done = customers.length - customers.filter(isLeft).length
  const total = customers.length + hidden
  const nameOf = (ticket: number | null) => customers.find(({ ticket_id }) => ticket_id === ticket)?.requester
  return (
    <section className={classes.queue} aria-label="Customers">
      <ul aria-label="Customers of this task">
        {customers.map((customer) => (
          <li key={customer.ticket_id} aria-current={customer.ticket_id === current || undefined}>
            <button type="button" className={classes.row} onClick={() => onOpen(customer.ticket_id)}>
              <span>
                <b>{customer.requester}</b>
                <NoticeState customer={customer} />
              </span>
              <span>
                <Soft as="span">{customer.organization ?? customer.email ?? 'No organization'}</Soft>
                <span>#{customer.ticket_id}</span>
              </span>
              <Soft as="span" small>
                {noteOn(customer, nameOf(customer.same_as))}
              </Soft>
            </button>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <p className={classes.hidden}>
          {hidden === 1
            ? '1 customer of another product is left for someone with access to it.'
            : `${hidden} customers of other products are left for someone with access to them.`}
        </p>
      )}
      <div className={classes.progress}>
        <Soft as="span" small>{`${done} of ${total} done`}</Soft>
        <progress aria-label="Customers done" value={done} max={total} />
        <Button size="compact-sm" variant="subtle" disabled={!onUndo} onClick={onUndo}>
          Undo last&nbsp;
          <Kbd size="xs" aria-hidden>
            U
          </Kbd>
        </Button>
      </div>
    </section>
  )
}
