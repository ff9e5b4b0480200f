import { use, type KeyboardEvent } from 'react'
import { useLocalStorage } from '@mantine/hooks'
import { useLocation } from '@tanstack/react-router'
import type { Ticket } from '#features/crm/support/contract.ts'
import type { ReplyValues } from '#features/crm/support/reply.fields.ts'
import classes from '#features/crm/support/web/support.module.css'
import { TicketState } from '#features/crm/support/web/ticketWords.tsx'
import { useReplyTakes } from '#features/crm/support/web/useTicket.ts'
import { useLists } from '#web/filter/useOptions.ts'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { MenuItem, MenuLine } from '#web/parts/Menu.tsx'
import { VisuallyHidden } from '#web/parts/VisuallyHidden.tsx'
import { BesideListContext } from '#web/record/besideList.ts'
import { personalKey, useViewer } from '#web/session.ts'

/** A status to set along with a reply, and whether the next ticket opens; by default, as the user has chosen. */
export interface SendWith {
  status?: number
  isNext?: boolean
}

/** Whether there is a list whose next ticket can be opened, and whether it opens after each reply. */
export function useNextAfterReply() {
  const { listPosition } = useLocation({ select: ({ state }) => state })
  const canStep = use(BesideListContext) || listPosition !== undefined
  const [isWanted, setWanted] = useLocalStorage({
    key: personalKey('next-after-reply'),
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  return { canStep, opensNext: canStep && isWanted, setWanted }
}
export type NextAfterReply = ReturnType<typeof useNextAfterReply>

interface Props {
  form: DraftForm<ReplyValues>
  ticket: Ticket
  next: NextAfterReply
  sendWith: (how: SendWith) => void
}

/** Value of the assignee in a reply that leaves the ticket unassigned, which a reply otherwise assigns. */
export const unassigned = '0'

/** Returns the statuses, each with the digit that sets it along with Ctrl and Shift: its place among all. */
function useStatuses() {
  const { ticket_statuses } = useLists('ticket_statuses')
  return ticket_statuses.map(({ id }, at) => ({ id, digit: at < 9 ? String(at + 1) : undefined }))
}

/** Returns the handler of the keys that send a reply and set a status, even one that the ticket has already. */
export function useStatusKeys(sendWith: Props['sendWith']) {
  const statuses = useStatuses()
  return (event: KeyboardEvent) => {
    if (!event.ctrlKey || !event.shiftKey) return
    // The key of a digit types another character with Shift.
    const status = statuses.find(({ digit }) => digit !== undefined && event.code === `Digit${digit}`)
    if (!status) return
    event.preventDefault()
    sendWith({ status: status.id })
  }
}

/** Other ways to send: with a status, with a request for feedback, or with a card on the board. */
export function SendMenu({ form: { fields }, ticket, next, sendWith }: Props) {
  const statuses = useStatuses().filter(({ id }) => id !== ticket.status)
  const viewer = useViewer()
  const { customer_feedback, add_trello, assignee_id } = fields.getValues()
  const { canStep, opensNext, setWanted } = next
  const takes = useReplyTakes(ticket)
  return (
    <>
      {canStep && (
        <MenuItem onClick={() => sendWith({ isNext: !opensNext })}>
          {opensNext ? 'Send and stay' : 'Send and next'}
        </MenuItem>
      )}
      <div role="group" aria-label="Send and set status to">
        <span className={classes.caption} aria-hidden>
          Send and set status to
        </span>
        {statuses.map(({ id, digit }) => (
          <MenuItem
            key={id}
            mark={digit && <span className={classes.keys} aria-hidden>{`Ctrl Shift ${digit}`}</span>}
            onClick={() => sendWith({ status: id })}
          >
            <VisuallyHidden>Send and set </VisuallyHidden>
            <TicketState id={id} />
          </MenuItem>
        ))}
      </div>
      <MenuLine />
      {canStep && (
        <Toggle isOn={opensNext} onChange={setWanted}>
          Open the next ticket after each reply
        </Toggle>
      )}
      <Toggle isOn={customer_feedback} onChange={(isOn) => fields.setFieldValue('customer_feedback', isOn)}>
        Request feedback
      </Toggle>
      {viewer && ticket.assignee_id !== viewer.id && (
        <Toggle
          isOn={takes ? assignee_id !== unassigned : assignee_id !== ''}
          onChange={(isOn) =>
            fields.setFieldValue(
              'assignee_id',
              takes ? (isOn ? '' : unassigned) : isOn ? String(viewer.id) : '',
            )
          }
        >
          Assign to me
        </Toggle>
      )}
      {ticket.card_id === 0 && (
        <Toggle isOn={add_trello} onChange={(isOn) => fields.setFieldValue('add_trello', isOn)}>
          Add a card to the board
        </Toggle>
      )}
    </>
  )
}

interface ToggleProps {
  isOn: boolean
  onChange: (isOn: boolean) => void
  children: string
}

const Toggle = ({ isOn, onChange, children }: ToggleProps) => (
  <MenuItem checked={isOn} onClick={() => onChange(!isOn)}>
    {children}
  </MenuItem>
)
