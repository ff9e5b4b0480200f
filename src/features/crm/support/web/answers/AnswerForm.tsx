import classes from '#features/crm/support/web/answers/answers.module.css'
import { repliesText } from '#features/crm/support/web/answers/answerWords.ts'
import type { Answer, AnswerValues } from '#features/crm/support/web/answers/useAnswer.ts'
import { whyNotSend } from '#features/crm/support/web/answers/useRecipients.ts'
import { useSavedReplies } from '#features/crm/support/web/saved-replies/useSavedReplies.tsx'
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
import type { Writing } from '#web/record/writing.ts'

interface Props {
  answer: Answer
  /** Number of tickets that it goes to. */
  count: number
  /** Saved replies for this category come first. */
  category?: number
  writing?: Writing
}

/** Form for one answer to several tickets. */
export function AnswerForm({
  answer: { form, sendWith, isEmailOn, unwritten },
  count,
  category,
  writing,
}: Props) {
  const { fields } = form
  const saved = useSavedReplies(category === undefined ? {} : { category }, fields)
  const files = useAttachments(form.inner.tell, fields.getValues().file_ids, (ids) =>
    fields.setFieldValue('file_ids', ids),
  )
  const whyNot =
    whyNotSend(count) ??
    (unwritten === undefined
      ? form.saveBlockedReason
      : `Write the text for #${unwritten}, or use the text for all.`)
  return (
    <ComposerForm
      label="Answer to all"
      form={form}
      files={files}
      {...(writing && { writing })}
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
  )
}

/** Button for undoing the last answer, which restores its text in the form. */
export const UndoAnswer = ({ answer: { sent, isEmailOn, restore } }: Pick<Props, 'answer'>) =>
  sent && (
    <UndoSend
      key={sent.mail_ids[0]}
      mail_ids={sent.mail_ids}
      seconds={sent.seconds}
      label={isEmailOn ? `Sending ${repliesText(sent.mail_ids.length)}…` : 'Replies saved, but not sent.'}
      doneWords="Replies canceled. Your text is back in the editor."
      onUndone={() => restore(sent)}
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

/** Sends the answer, and sets the status of all tickets that get it. */
function SendMenu({ sendWith }: { sendWith: (status: number) => void }) {
  const { ticket_statuses } = useLists('ticket_statuses')
  return ticket_statuses.map(({ id, name }) => (
    <MenuItem key={id} onClick={() => sendWith(id)}>
      {`Send and set ${name} on all`}
    </MenuItem>
  ))
}
