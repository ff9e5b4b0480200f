import { Suspense, useState } from 'react'
import { Button, Checkbox, Kbd } from '@mantine/core'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import { NoticeMessage, taskNotices, type TaskCustomer } from '#features/crm/support/task-notices/contract.ts'
import { messageDraft, type MessageValues } from '#features/crm/support/task-notices/web/useNotices.ts'
import classes from '#features/crm/support/task-notices/web/task-notices.module.css'
import { settledStatuses } from '#features/crm/support/rules.ts'
import { ApiError } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { ComposerForm } from '#web/composer/ComposerForm.tsx'
import { ComposerText } from '#web/composer/ComposerText.tsx'
import { useAttachments } from '#web/composer/useAttachments.tsx'
import { useLists } from '#web/filter/useOptions.ts'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { toast } from '#web/message/toast.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const PreviewMessage = lazyPart(() => import('#features/crm/support/task-notices/web/PreviewMessage.tsx'))

const closed = settledStatuses.at(-1)!

interface Props {
  task: number
  customer: TaskCustomer
  onSent: (values: MessageValues) => void
  onSkip: () => void
}

/** The message to a customer, to be edited, seen as an email, and sent, and the buttons below. */
export default function MessageForm({ task, customer, onSent, onSkip }: Props) {
  const form = useMessageForm({ task, customer, onSent })
  const { fields } = form
  const [previewed, setPreviewed] = useState<string>()
  const files = useAttachments(form.inner.tell, fields.getValues().file_ids, (ids) =>
    fields.setFieldValue('file_ids', ids),
  )
  function preview(): void {
    form.inner.flushPendingInput()
    setPreviewed(fields.getValues().message)
  }
  return (
    <>
      <section className={classes.box} aria-label={`Message to ${customer.requester}`}>
        <ComposerForm
          label="Message"
          form={form}
          files={files}
          head={<Addressed customer={customer} />}
          acts={
            <>
              <span className={classes.from}>{`Written from task #${task}`}</span>
              {files.button}
            </>
          }
        >
          <ComposerText
            label="Message"
            placeholder="Write a message"
            onFiles={files.add}
            {...fields.getInputProps('message')}
          />
        </ComposerForm>
      </section>
      <Closes customer={customer} form={form} />
      <div className={classes.acts}>
        <Button variant="default" title="Skip (S), asks for a reason" onClick={onSkip}>
          Skip…
        </Button>
        <span className={classes.keys}>
          <Kbd size="xs">J</Kbd> <Kbd size="xs">K</Kbd> customers <Kbd size="xs">S</Kbd> skip{' '}
          <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">Enter</Kbd> send and next
        </span>
        <Button
          variant="default"
          leftSection={<IconEye size={14} aria-hidden />}
          disabled={fields.getValues().message === ''}
          onClick={preview}
        >
          Preview
        </Button>
        <Button
          loading={form.saving}
          disabled={form.saveBlockedReason !== undefined}
          title={form.saveBlockedReason ?? 'Ctrl+Enter'}
          onClick={() => void form.submit()}
        >
          Send and next
        </Button>
      </div>
      {previewed !== undefined && (
        <Suspense>
          <PreviewMessage
            task={task}
            customer={customer}
            message={previewed}
            onClose={() => setPreviewed(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}

function useMessageForm({ task, customer, onSent }: Omit<Props, 'onSkip'>): DraftForm<MessageValues> {
  const { ticket_id: ticket, proposal, status } = customer
  const maySettle = !settledStatuses.includes(status)
  const { send } = useSend(taskNotices.send, { failure: 'throw' })
  const toSend = ({ message, file_ids, closes }: MessageValues) => ({
    message,
    file_ids,
    ...(closes && maySettle ? { status: closed } : {}),
  })
  const form: DraftForm<MessageValues> = useDraftForm<MessageValues>({
    name: messageDraft(task, ticket),
    initial: { message: proposal, file_ids: [], closes: maySettle },
    schema: NoticeMessage,
    saveVerb: 'Send',
    toSend,
    onSave: async (values) => {
      try {
        const reply = await send({ params: { task, ticket }, body: toSend(values) })
        if (!reply) return
        form.discardSent(values)
        toast.notice(reply.message)
        onSent(values)
      } catch (error) {
        // Someone else sent the message, or the task was reopened: the form is no longer there to say it.
        if (error instanceof ApiError && error.status === 409) toast.failure(error.message)
        throw error
      }
    },
  })
  return form
}

/** Who receives the message, and under which subject. */
const Addressed = ({ customer: { requester, email, subject } }: { customer: TaskCustomer }) => (
  <dl className={classes.addressed}>
    <div>
      <dt>To</dt>
      <dd>
        <b>{requester}</b> <Soft as="span">{email}</Soft>
      </dd>
    </div>
    <div>
      <dt>Subject</dt>
      <dd>{subject}</dd>
    </div>
  </dl>
)

/** Whether the ticket is closed along with the message; nothing for a ticket that is resolved or closed already. */
function Closes({ customer, form: { fields } }: { customer: TaskCustomer; form: DraftForm<MessageValues> }) {
  const { ticket_statuses } = useLists('ticket_statuses')
  if (settledStatuses.includes(customer.status)) return null
  const name = ticket_statuses.find(({ id }) => id === closed)?.name ?? 'Closed'
  return (
    <Checkbox
      label={`Set #${customer.ticket_id} to ${name}`}
      checked={fields.getValues().closes}
      onChange={({ currentTarget }) => fields.setFieldValue('closes', currentTarget.checked)}
    />
  )
}
