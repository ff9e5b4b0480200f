import { Button, Input } from '@mantine/core'
import type { Ticket } from '#features/crm/support/contract.ts'
import { RequestReplyBody, requests } from '#features/crm/support/requests.contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { ticketQueries } from '#features/crm/support/web/ticketWords.tsx'
import { useMay, useSend } from '#web/api/useSend.ts'
import { FilesField } from '#web/files/FilesField.tsx'
import { InnerContext } from '#web/form/inner.ts'
import { useWarnBeforeLeaving } from '#web/form/FormModal.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { RichTextField } from '#web/richtext/RichTextField.tsx'
import { toast } from '#web/message/toast.ts'
import { Panel } from '#web/parts/Panel.tsx'

const empty = { message: '', file_ids: [] as number[] }

/** Form for adding a message to the viewer's own request. */
export function RequestReply({ ticket }: { ticket: Ticket }) {
  const { send } = useSend(requests.reply, {
    refresh: [...ticketQueries, requests.show],
    failure: 'throw',
  })
  const may = useMay(requests.reply, { params: { id: ticket.id }, body: empty })
  const form: DraftForm<typeof empty> = useDraftForm({
    name: `request-reply-${ticket.id}`,
    initial: empty,
    schema: RequestReplyBody,
    onSave: async (body) => {
      const reply = await send({ params: { id: ticket.id }, body })
      if (!reply) return
      toast.success(reply.message)
      form.discard()
    },
  })
  useWarnBeforeLeaving(form)
  if (!may) return null
  return (
    <Panel dense aria-label="Reply">
      <h2>Reply</h2>
      <form {...form.formProps} className={classes.form} aria-label="Reply">
        <InnerContext value={form.inner.tell}>
          <RichTextField label="Message" required {...form.fields.getInputProps('message')} />
          <FilesField label="Attachments" {...form.fields.getInputProps('file_ids')} />
        </InnerContext>
        {form.failure && <Input.Error role="alert">{form.failure}</Input.Error>}
        <div className={classes.buttons}>
          <Button
            type="submit"
            size="xs"
            loading={form.saving}
            disabled={form.saveBlockedReason !== undefined}
            title="Ctrl+Enter"
          >
            Send
          </Button>
        </div>
      </form>
    </Panel>
  )
}
