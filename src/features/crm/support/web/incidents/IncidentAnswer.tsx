import { useState } from 'react'
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Ticket } from '#features/crm/support/contract.ts'
import {
  IncidentAnswer as AnswerSchema,
  incidents,
  mostAnswered,
  type IncidentTicket,
} from '#features/crm/support/incidents.contract.ts'
import classes from '#features/crm/support/web/incidents/incidents.module.css'
import { ticketQueries } from '#features/crm/support/web/ticketWords.tsx'
import { useIsEmailOn } from '#features/crm/support/web/useTicket.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { ComposerForm } from '#web/composer/ComposerForm.tsx'
import { ComposerText } from '#web/composer/ComposerText.tsx'
import { SplitButton } from '#web/composer/SplitButton.tsx'
import { useAttachments } from '#web/composer/useAttachments.tsx'
import { useLists } from '#web/filter/useOptions.ts'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { Loaded } from '#web/list/states.tsx'
import { WillWait } from '#web/mail/NotSetUp.tsx'
import { UndoSend } from '#web/mail/UndoSend.tsx'
import { toast } from '#web/message/toast.ts'
import { MenuItem } from '#web/parts/Menu.tsx'
import { Soft } from '#web/parts/Soft.tsx'

const empty = { message: '', file_ids: [] as number[], status: '' }
type Values = typeof empty

/** Form for answering an incident and the tickets that are linked to it, each with its own reply. */
export default function IncidentAnswer({ ticket }: { ticket: Ticket }) {
  const query = useQuery(queryOptionsFor(incidents.show, { params: { ticket: ticket.id } }))
  return (
    <Loaded query={query} what="The linked tickets">
      {({ data: { head, linked } }) => (
        <AnswerForm id={ticket.id} parts={head ? [head, ...linked] : linked} />
      )}
    </Loaded>
  )
}

const reasons = {
  banned: 'Left out: the requester is banned.',
  'no address': 'Left out: the requester has no email address.',
  solved: 'Left out unless you choose it: already solved.',
} as const satisfies Record<NonNullable<IncidentTicket['why']>, string>

const mayReach = ({ why }: IncidentTicket) => why === null || why === 'solved'

/** Which tickets get the answer: those that it reaches and that aren't solved, unless the user chose otherwise. */
function useRecipients(parts: readonly IncidentTicket[]) {
  const [chosen, setChosen] = useState<Readonly<Record<number, boolean>>>({})
  const isChosen = (part: IncidentTicket) => mayReach(part) && (chosen[part.id] ?? part.why === null)
  const choose = (id: number, is: boolean) => setChosen({ ...chosen, [id]: is })
  return { ids: parts.filter(isChosen).map(({ id }) => id), isChosen, choose }
}

interface FormProps {
  /** The incident. */
  id: number
  parts: readonly IncidentTicket[]
}

function AnswerForm({ id, parts }: FormProps) {
  const recipients = useRecipients(parts)
  const { form, sent, sendWith, isEmailOn } = useAnswer(id, recipients.ids)
  const { fields } = form
  const files = useAttachments(form.inner.tell, fields.getValues().file_ids, (ids) =>
    fields.setFieldValue('file_ids', ids),
  )
  const count = recipients.ids.length
  const whyNot = whyNotSend(count) ?? form.saveBlockedReason
  return (
    <>
      {sent && (
        <UndoSend
          key={sent.mail_ids[0]}
          mail_ids={sent.mail_ids}
          seconds={sent.seconds}
          refresh={ticketQueries}
          label={isEmailOn ? `Sending ${repliesText(sent.mail_ids.length)}…` : 'Replies saved, but not sent.'}
          doneWords="Replies canceled. Your text is back in the editor."
          onUndone={() => {
            const typed = fields.getValues()
            fields.setValues({
              ...typed,
              message: sent.values.message + typed.message,
              file_ids: [...new Set([...sent.values.file_ids, ...typed.file_ids])],
            })
          }}
        />
      )}
      <ComposerForm
        label="Answer to all"
        form={form}
        files={files}
        writing={{ type: 'ticket', id, what: 'reply' }}
        head={<Recipients parts={parts} {...recipients} />}
        options={!isEmailOn && <WillWait what="the replies" />}
        acts={
          <>
            {whyNot !== undefined && <Soft as="span">{whyNot}</Soft>}
            {files.button}
            <SplitButton
              label={`Send ${repliesText(count)}`}
              menuLabel="More ways to send to all"
              loading={form.saving}
              disabled={whyNot !== undefined}
              title="Ctrl+Enter"
            >
              <SendMenu sendWith={sendWith} />
            </SplitButton>
          </>
        }
      >
        <ComposerText
          label="Message to all"
          placeholder="Write one answer"
          onFiles={files.add}
          {...fields.getInputProps('message')}
        />
      </ComposerForm>
    </>
  )
}

interface Sent {
  mail_ids: number[]
  seconds: number
  values: Values
}

/** The form's state, and what was sent last. */
function useAnswer(ticket: number, ids: readonly number[]) {
  const isEmailOn = useIsEmailOn(ticket)
  const [sent, setSent] = useState<Sent>()
  const { send } = useSend(incidents.answer, { refresh: ticketQueries, failure: 'throw' })
  const toSend = ({ message, file_ids, status }: Values) => ({
    message,
    file_ids,
    ticket_ids: [...ids],
    ...(status === '' ? {} : { status: Number(status) }),
  })
  const form: DraftForm<Values> = useDraftForm({
    name: `incident-answer-${ticket}`,
    initial: empty,
    schema: AnswerSchema,
    saveVerb: 'Send',
    toSend,
    onSave: async (values) => {
      const reply = await send({ params: { ticket }, body: toSend(values) })
      if (!reply) return
      const out = reply.left_out.map((one) => ` Left out: #${one.id} ${one.title}. ${one.why}`).join('')
      const words = isEmailOn ? reply.message : 'Replies saved. They will be sent once email is set up.'
      toast.notice(words + out)
      setSent({
        mail_ids: reply.data.sent.map(({ mail_id }) => mail_id),
        seconds: reply.data.undo_seconds,
        values,
      })
      form.discardSent(values)
    },
  })
  const sendWith = (status: number) => {
    form.fields.setFieldValue('status', String(status))
    void form.submit()
  }
  return { form, sent, sendWith, isEmailOn }
}

const repliesText = (count: number) => (count === 1 ? '1 reply' : `${count} replies`)

function whyNotSend(count: number): string | undefined {
  if (count === 0) return 'Choose at least one ticket.'
  return count > mostAnswered ? `Choose up to ${mostAnswered} tickets.` : undefined
}

interface RecipientsProps extends Omit<FormProps, 'id'>, ReturnType<typeof useRecipients> {}

/** Who gets the answer, and who doesn't and why. */
const Recipients = ({ parts, ids, isChosen, choose }: RecipientsProps) => (
  <details className={classes.recipients} open>
    <summary>{`To ${ids.length} of ${parts.length} tickets, one email each`}</summary>
    <Soft as="p" small>
      {'{{first_name}} becomes the first name of each requester.'}
    </Soft>
    <ul>
      {parts.map((part) => (
        <li key={part.id}>
          <Checkbox
            size="xs"
            label={`#${part.id} ${part.title}`}
            description={[
              part.email === null ? part.requester : `${part.requester} <${part.email}>`,
              part.why && reasons[part.why],
            ]
              .filter(Boolean)
              .join(' · ')}
            checked={isChosen(part)}
            disabled={!mayReach(part)}
            onChange={({ currentTarget }) => choose(part.id, currentTarget.checked)}
          />
        </li>
      ))}
    </ul>
  </details>
)

/** Sends the answer, and sets the status of all tickets that get it. */
function SendMenu({ sendWith }: { sendWith: (status: number) => void }) {
  const { ticket_statuses } = useLists('ticket_statuses')
  return ticket_statuses.map(({ id, name }) => (
    <MenuItem key={id} onClick={() => sendWith(id)}>
      {`Send and set ${name} on all`}
    </MenuItem>
  ))
}
