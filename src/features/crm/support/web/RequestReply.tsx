import type { Ticket } from '#features/crm/support/contract.ts'
import { RequestReplyBody, requests } from '#features/crm/support/requests.contract.ts'
import { requestDraft } from '#features/crm/support/web/sentReply.ts'
import { useSend } from '#web/api/useSend.ts'
import { ComposerForm, SubmitButton } from '#web/composer/ComposerForm.tsx'
import { ComposerText } from '#web/composer/ComposerText.tsx'
import { useAttachments } from '#web/composer/useAttachments.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { toast } from '#web/message/toast.ts'

const empty = { message: '', file_ids: [] as number[] }

/** Form for adding a message to the viewer's own request. */
export default function RequestReply({ ticket }: { ticket: Ticket }) {
  const { send } = useSend(requests.reply, { failure: 'throw' })
  const form: DraftForm<typeof empty> = useDraftForm({
    name: requestDraft(ticket.id),
    initial: empty,
    schema: RequestReplyBody,
    saveVerb: 'Send',
    onSave: async (body) => {
      const reply = await send({ params: { id: ticket.id }, body })
      if (!reply) return
      toast.success(reply.message)
      form.discardSent(body)
    },
  })
  const { fields } = form
  const files = useAttachments(form.inner.tell, fields.getValues().file_ids, (ids) =>
    fields.setFieldValue('file_ids', ids),
  )
  return (
    <ComposerForm
      label="Reply"
      form={form}
      files={files}
      acts={
        <>
          {files.button}
          <SubmitButton form={form}>Send</SubmitButton>
        </>
      }
    >
      <ComposerText
        label="Message"
        placeholder="Write to support."
        onFiles={files.add}
        hasImages
        {...fields.getInputProps('message')}
      />
    </ComposerForm>
  )
}
