import { useState } from 'react'
import { Checkbox } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Fields } from '#shared/field.ts'
import type { Ticket, TicketMessage } from '#features/crm/support/contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { ticketMerge, TicketSplit } from '#features/crm/support/merge.contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { ticketAddress } from '#features/crm/support/web/ticketWords.tsx'
import { useAssignees } from '#features/crm/support/web/useAssignable.ts'
import { useSend } from '#web/api/useSend.ts'
import { asChoices, useLists } from '#web/filter/useOptions.ts'
import { Field } from '#web/form/Field.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useFieldsForm } from '#web/form/useFieldsForm.ts'
import { Moment } from '#web/Moment.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { useUndo } from '#web/record/useUndo.ts'

const formFields = {
  title: { ...ticketFields.title, empty: '' },
  category: { ...ticketFields.category, empty: '1' },
  assignee_id: { ...ticketFields.assignee_id, empty: '' },
} as const satisfies Fields

interface Props {
  ticket: Ticket
  onClose: () => void
}

/** Dialog for moving some of a ticket's messages to a new ticket. */
export default function SplitTicket({ ticket, onClose }: Props) {
  const navigate = useNavigate()
  const { ticket_categories } = useLists('ticket_categories')
  const assignees = useAssignees()
  const [chosen, setChosen] = useState<readonly number[]>([])
  const { announceAct } = useUndo()
  const { send } = useSend(ticketMerge.split, { failure: 'throw' })
  const form = useFieldsForm({
    name: `ticket-split-${ticket.id}`,
    fields: formFields,
    schema: TicketSplit,
    initial: { category: String(ticket.category), assignee_id: String(ticket.assignee_id ?? '') },
    adapt: (sent) => ({ ...sent, message_ids: chosen }),
    onSave: async ({ title, category, assignee_id }) => {
      const body = { title, category, assignee_id, message_ids: [...chosen] }
      const reply = await send({ params: { ticket: ticket.id }, body })
      if (!reply) return
      announceAct(reply.message, reply.operation)
      onClose()
      void navigate({ to: ticketAddress(reply.data) })
    },
  })
  const count = chosen.length
  return (
    <FormModal
      title={`Split #${ticket.id} ${ticket.title}`}
      form={form}
      onClose={onClose}
      size="lg"
      saveLabel={count === 1 ? 'Move 1 message' : `Move ${count} messages`}
      whyNotSave={whyNot(count, ticket.messages.length)}
    >
      <Field form={form} name="title" label="Title of the new ticket" autoFocus />
      <Field form={form} name="category" half options={asChoices(ticket_categories)} />
      <Field form={form} name="assignee_id" half options={asChoices(assignees, 'Unassigned')} />
      <Checkbox.Group
        label="Messages to move"
        value={chosen.map(String)}
        onChange={(ids) => setChosen(ids.map(Number))}
      >
        <ul className={classes.splitMessages}>
          {ticket.messages.map((message) => (
            <li key={message.id}>
              <MessageChoice message={message} />
            </li>
          ))}
        </ul>
      </Checkbox.Group>
      <Soft>
        Requester: {requesterOf(ticket, chosen)}. Replies to the messages that you move arrive in the new
        ticket. This can be undone.
      </Soft>
    </FormModal>
  )
}

function whyNot(count: number, all: number): string | undefined {
  if (count === 0) return 'Choose the messages to move.'
  return count === all ? 'Leave at least one message in this ticket.' : undefined
}

/** Names the requester of the new ticket: the one other person who wrote all of the customers' messages, or the same. */
function requesterOf({ requester, messages }: Ticket, chosen: readonly number[]): string {
  const moved = messages.filter(({ id, sent_by_admin }) => chosen.includes(id) && !sent_by_admin)
  const last = moved.at(-1)
  const isOfOne =
    last &&
    keyOf(last) !== undefined &&
    moved.every((message) => message.author === 'other' && keyOf(message) === keyOf(last))
  return isOfOne ? last.who : requester || 'the same'
}

const keyOf = ({ user_id, author_email }: TicketMessage) => user_id ?? author_email?.toLowerCase()

const MessageChoice = ({
  message: { id, who, message, created_at, attachments },
}: {
  message: TicketMessage
}) => (
  <Checkbox
    value={String(id)}
    label={
      <>
        <strong>{who}</strong> <Moment at={created_at} />
        {attachments.length > 0 && <Soft as="span">{` · ${filesText(attachments.length)}`}</Soft>}
      </>
    }
    description={<span className={classes.splitWords}>{wordsOf(message)}</span>}
  />
)

const filesText = (count: number) => (count === 1 ? '1 file' : `${count} files`)

const endOfBlock = /<br\s*\/?>|<\/(?:p|div|li|h[1-6]|td|th|blockquote|pre)>/gi

/** Returns the text of a message as one line, without its images and styles. */
const wordsOf = (html: string): string =>
  new DOMParser()
    .parseFromString(html.replaceAll(endOfBlock, '$& '), 'text/html')
    .body.textContent.replaceAll(/\s+/g, ' ')
    .trim()
