import { Checkbox, TagsInput } from '@mantine/core'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { mostFiles } from '#shared/files.ts'
import { mostPeople } from '#shared/record-mail.contract.ts'
import type { TicketMessage } from '#features/crm/support/contract.ts'
import { NewTicketForward, ticketForwards } from '#features/crm/support/forwards.contract.ts'
import { forwardDraft, type ForwardValues } from '#features/crm/support/web/forwardDraft.ts'
import classes from '#features/crm/support/web/forwarding.module.css'
import { MessageText } from '#features/crm/support/web/ticketEntries.tsx'
import { useSend } from '#web/api/useSend.ts'
import { sizeInWords } from '#web/files/sizeInWords.ts'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { addressesIn } from '#web/mail/emailText.ts'
import { aboutEmail } from '#web/mail/UndoSend.tsx'
import { toast } from '#web/message/toast.ts'
import { Moment } from '#web/Moment.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { RichTextField } from '#web/richtext/RichTextField.tsx'

interface Props {
  /** ID of the ticket. */
  ticket: number
  message: TicketMessage
  onClose: () => void
}

/** Dialog for forwarding a message of a ticket by email, with the files that the user chooses. */
export default function ForwardMessage({ ticket, message, onClose }: Props) {
  const { attachments } = message
  const { send } = useSend(ticketForwards.forward, { failure: 'throw' })
  const form = useDraftForm<ForwardValues>({
    name: forwardDraft(message.id),
    initial: {
      to: [],
      content: '',
      file_ids: attachments
        .filter(({ role }) => role === 'attachment')
        .slice(0, mostFiles)
        .map(({ id }) => id),
    },
    schema: NewTicketForward,
    saveVerb: 'Send',
    onSave: async (body) => {
      const reply = await send({ params: { ticket, message: message.id }, body })
      if (reply) toast.notice(reply.message, { about: aboutEmail(reply.data.mail_id) })
    },
    onSaved: onClose,
  })
  const { fields } = form
  const { onChange: setTo, ...to } = fields.getInputProps('to')
  const { onChange: setFiles, ...files } = fields.getInputProps('file_ids')
  return (
    <FormModal title="Forward message" form={form} onClose={onClose} size="lg" saveLabel="Send email">
      <TagsInput
        label="To"
        size="xs"
        required
        placeholder={fields.getValues().to.length === 0 ? 'Email addresses' : ''}
        splitChars={[',', ';']}
        acceptValueOnBlur
        maxTags={mostPeople}
        {...to}
        onChange={(typed: string[]) => setTo([...new Set(typed.flatMap(addressesIn))])}
      />
      <RichTextField
        label="Text above the message"
        sendPicture={null}
        hasFewTools
        description="Your signature and the message follow."
        {...fields.getInputProps('content')}
      />
      {attachments.length > 0 && (
        <Checkbox.Group
          label="Files"
          {...files}
          value={fields.getValues().file_ids.map(String)}
          onChange={(ids) => setFiles(ids.map(Number))}
        >
          <ul className={classes.files}>
            {attachments.map(({ id, name, bytes }) => (
              <li key={id}>
                <Checkbox value={String(id)} label={name} description={sizeInWords(bytes)} />
              </li>
            ))}
          </ul>
        </Checkbox.Group>
      )}
      <section aria-label="Message to forward" className={classes.forwarded}>
        <Soft>
          {message.who} <Moment at={message.created_at} />
        </Soft>
        <MessageText message={message} />
      </section>
    </FormModal>
  )
}
