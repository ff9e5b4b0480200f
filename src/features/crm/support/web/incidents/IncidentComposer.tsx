import { useState } from 'react'
import IconCornerUpLeft from '@tabler/icons-react/dist/esm/icons/IconCornerUpLeft.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { IncidentNoteForm } from '#features/crm/support/web/incidents/IncidentNoteForm.tsx'
import {
  incidentAnswerDraft,
  incidentNoteDraft,
  type IncidentProps,
} from '#features/crm/support/web/incidents/incidentParts.ts'
import classes from '#features/crm/support/web/incidents/incidents.module.css'
import type { AnswerValues, SentAnswer } from '#features/crm/support/web/incidents/useIncidentAnswer.ts'
import { whyNotSend } from '#features/crm/support/web/incidents/useRecipients.ts'
import { useSavedReplies } from '#features/crm/support/web/saved-replies/useSavedReplies.tsx'
import { Composer } from '#web/composer/Composer.tsx'
import { ComposerForm } from '#web/composer/ComposerForm.tsx'
import { ComposerText } from '#web/composer/ComposerText.tsx'
import { SplitButton } from '#web/composer/SplitButton.tsx'
import { useAttachments } from '#web/composer/useAttachments.tsx'
import { useLists } from '#web/filter/useOptions.ts'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { WillWait } from '#web/mail/NotSetUp.tsx'
import { UndoSend } from '#web/mail/UndoSend.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { MenuItem } from '#web/parts/Menu.tsx'
import { Soft } from '#web/parts/Soft.tsx'

const icon = { size: 14, stroke: 1.75, 'aria-hidden': true } as const

/** Box for answering the chosen tickets of an incident, or for writing a note on each of them. */
export function IncidentComposer({ head, recipients, answer }: IncidentProps) {
  const [tab, setTab] = useState('answer')
  const { answered, chosen } = recipients
  return (
    <Composer
      chosen={tab}
      onChoose={setTab}
      tabs={[
        {
          id: 'answer',
          label: `Answer ${ticketsText(answered.length)}`,
          letter: 'r',
          icon: <IconCornerUpLeft {...icon} />,
          to: 'One email each',
          draft: incidentAnswerDraft(head.id),
          content: <AnswerForm head={head} answer={answer} count={answered.length} />,
        },
        {
          id: 'note',
          label: `Internal note on ${chosen.length}`,
          letter: 'n',
          isInternal: true,
          icon: <IconLock {...icon} />,
          draft: incidentNoteDraft(head.id),
          content: <IncidentNoteForm id={head.id} ids={chosen.map(({ id }) => id)} />,
        },
      ]}
    />
  )
}

function AnswerForm({
  head,
  answer: { form, sent, sendWith, isEmailOn, unwritten },
  count,
}: Pick<IncidentProps, 'head' | 'answer'> & { count: number }) {
  const { fields } = form
  const saved = useSavedReplies({ category: head.category }, fields)
  const files = useAttachments(form.inner.tell, fields.getValues().file_ids, (ids) =>
    fields.setFieldValue('file_ids', ids),
  )
  const whyNot =
    whyNotSend(count) ??
    (unwritten === undefined
      ? form.saveBlockedReason
      : `Write the text for #${unwritten}, or use the text for all.`)
  return (
    <>
      {sent && <UndoAnswer key={sent.mail_ids[0]} sent={sent} form={form} waits={!isEmailOn} />}
      <ComposerForm
        label="Answer to all"
        form={form}
        files={files}
        writing={{ type: 'ticket', id: head.id, what: 'reply' }}
        options={
          <>
            {!isEmailOn && <WillWait what="the replies" />}
            <StatusAlong fields={fields} />
          </>
        }
        head={
          <div className={classes.hintLine}>
            <Soft as="span" small>
              {'{{first_name}} becomes the first name of each requester.'}
            </Soft>
          </div>
        }
        acts={
          <>
            {whyNot !== undefined && <Soft as="span">{whyNot}</Soft>}
            {files.button}
            {saved.button}
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
          placeholder="Write one answer. Type / for a saved reply."
          onFiles={files.add}
          slashMenu={saved.menu}
          insertRef={saved.insert}
          {...fields.getInputProps('message')}
        />
      </ComposerForm>
    </>
  )
}

interface UndoProps {
  sent: SentAnswer
  form: DraftForm<AnswerValues>
  /** Whether the emails are not sent before email is set up. */
  waits: boolean
}

/** Button for undoing the last answer, which restores its text in the form. */
const UndoAnswer = ({ sent: { mail_ids, seconds, values }, form, waits }: UndoProps) => (
  <UndoSend
    mail_ids={mail_ids}
    seconds={seconds}
    label={waits ? 'Replies saved, but not sent.' : `Sending ${repliesText(mail_ids.length)}…`}
    doneWords="Replies canceled. Your text is back in the editor."
    onUndone={() =>
      form.change((typed) => ({
        message: values.message + typed.message,
        file_ids: [...new Set([...values.file_ids, ...typed.file_ids])],
        status: typed.status === '' ? values.status : typed.status,
        texts: [
          ...typed.texts,
          ...values.texts.filter(({ ticket_id }) => !typed.texts.some((one) => one.ticket_id === ticket_id)),
        ],
      }))
    }
  />
)

/** The status that the answer sets, with a button to leave it out. */
function StatusAlong({ fields }: Pick<DraftForm<AnswerValues>, 'fields'>) {
  const { ticket_statuses } = useLists('ticket_statuses')
  const { status } = fields.getValues()
  if (status === '') return null
  const name = ticket_statuses.find(({ id }) => String(id) === status)?.name ?? status
  return (
    <Soft as="div">
      {`Sets the status of each ticket to ${name}.`}{' '}
      <LinkButton onClick={() => fields.setFieldValue('status', '')}>Keep the status</LinkButton>
    </Soft>
  )
}

const repliesText = (count: number) => (count === 1 ? '1 reply' : `${count} replies`)
const ticketsText = (count: number) => (count === 1 ? '1 ticket' : `${count} tickets`)

/** Sends the answer, and sets the status of all tickets that get it. */
function SendMenu({ sendWith }: { sendWith: (status: number) => void }) {
  const { ticket_statuses } = useLists('ticket_statuses')
  return ticket_statuses.map(({ id, name }) => (
    <MenuItem key={id} onClick={() => sendWith(id)}>
      {`Send and set ${name} on all`}
    </MenuItem>
  ))
}
