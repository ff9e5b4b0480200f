import { useState } from 'react'
import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconCornerUpLeft from '@tabler/icons-react/dist/esm/icons/IconCornerUpLeft.mjs'
import { bulkReply, type BulkRecipient } from '#features/crm/support/bulk-reply.contract.ts'
import { AnswerForm, UndoAnswer } from '#features/crm/support/web/answers/AnswerForm.tsx'
import { AnswerPreview } from '#features/crm/support/web/answers/AnswerPreview.tsx'
import classes from '#features/crm/support/web/answers/answers.module.css'
import { ticketsText } from '#features/crm/support/web/answers/answerWords.ts'
import { RecipientLine, RecipientLines } from '#features/crm/support/web/answers/RecipientLine.tsx'
import { useAnswer, type Answer } from '#features/crm/support/web/answers/useAnswer.ts'
import { useRecipients, type Recipients } from '#features/crm/support/web/answers/useRecipients.ts'
import { LineEnd } from '#features/crm/support/web/TicketLines.tsx'
import { TicketState } from '#features/crm/support/web/ticketWords.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { Composer } from '#web/composer/Composer.tsx'
import { Loaded } from '#web/list/states.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { useDialog } from '#web/parts/useDialog.ts'

/** One text for any selection: closing the dialog keeps it. */
const draft = 'bulk-reply'

const reasons = {
  banned: 'Gets no reply: the requester is banned',
  'no address': 'Gets no reply: the requester has no email address',
  bounced: 'Gets no reply: emails to this address bounce',
  merged: 'Gets no reply: it was merged into another ticket',
  'in trash': 'Gets no reply: it is in the trash',
} as const satisfies Record<NonNullable<BulkRecipient['why']>, string>

interface Props {
  /** The selected tickets, up to `mostAnswered`. */
  ids: readonly number[]
  onClose: () => void
  /** Called when the dialog closes after replies were sent. */
  onDone: () => void
}

/** Dialog for one reply to the tickets that are selected in the list. */
export default function BulkReply({ ids, onClose, onDone }: Props) {
  const dialog = useDialog()
  const [isSent, setSent] = useState(false)
  const query = useQuery(queryOptionsFor(bulkReply.recipients, { query: { ids: [...ids] } }))
  const close = () => {
    onClose()
    if (isSent) onDone()
  }
  return (
    <Modal {...dialog} opened onClose={close} title={`Reply to ${ticketsText(ids.length)}`} size={760}>
      <Loaded query={query} what="The recipients">
        {({ data, is_on }) => (
          <Form ids={ids} parts={data} isEmailOn={is_on} onSent={setSent} onClose={close} />
        )}
      </Loaded>
    </Modal>
  )
}

interface FormProps extends Pick<Props, 'ids' | 'onClose'> {
  parts: readonly BulkRecipient[]
  isEmailOn: boolean
  /** Called with false when the replies were canceled. */
  onSent: (isSent: boolean) => void
}

function Form({ ids, parts, isEmailOn, onSent, onClose }: FormProps) {
  const recipients = useRecipients(parts)
  const { send } = useSend(bulkReply.answer, { failure: 'throw', onDone: () => onSent(true) })
  const written = useAnswer({
    draft,
    ids: recipients.answered.map(({ id }) => id),
    isEmailOn,
    send: (body) => send({ body }),
  })
  const answer: Answer = {
    ...written,
    restore: (sent) => {
      onSent(false)
      written.restore(sent)
    },
  }
  if (answer.sent)
    return (
      <div className={classes.sent}>
        <div role="status">{answer.sent.words}</div>
        <UndoAnswer answer={answer} />
        <Button size="xs" variant="default" onClick={onClose}>
          Back to tickets
        </Button>
      </div>
    )
  return (
    <div className={classes.dialog}>
      <List ids={ids} parts={parts} recipients={recipients} answer={answer} />
      <Composer
        label="Reply"
        chosen="reply"
        onChoose={() => {}}
        tabs={[
          {
            id: 'reply',
            label: `Reply to ${ticketsText(recipients.answered.length)}`,
            icon: <IconCornerUpLeft size={14} stroke={1.75} aria-hidden />,
            to: 'One email each',
            content: <AnswerForm answer={answer} count={recipients.answered.length} />,
          },
        ]}
      />
      <AnswerPreview
        recipients={recipients}
        answer={answer}
        emailOf={(body) => queryOptionsFor(bulkReply.preview, { body })}
        isInDialog
      />
    </div>
  )
}

interface ListProps extends Pick<FormProps, 'ids' | 'parts'> {
  recipients: Recipients
  answer: Answer
}

/** The selected tickets, with those that get no reply. */
function List({ ids, parts, recipients, answer }: ListProps) {
  const edited = answer.form.fields.getValues().texts.map(({ ticket_id }) => ticket_id)
  const gone = ids.filter((id) => !parts.some((part) => part.id === id))
  return (
    <>
      <section className={classes.list} aria-label="Recipients">
        <RecipientLines>
          {parts.map((part) => (
            <RecipientLine
              key={part.id}
              part={part}
              recipients={recipients}
              disabled={part.why !== null}
              marks={[part.why && reasons[part.why], edited.includes(part.id) && 'Has its own text']}
              end={
                <LineEnd>
                  <TicketState id={part.status} />
                </LineEnd>
              }
            />
          ))}
        </RecipientLines>
      </section>
      {gone.length > 0 && (
        <Soft role="status">{`Not found: ${new Intl.ListFormat('en').format(gone.map((id) => `#${id}`))}.`}</Soft>
      )}
    </>
  )
}
