import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { NewNotification, notifications, type Notification } from '#features/crm/notifications/contract.ts'
import { notificationFields, notificationStatuses, toEveryone } from '#features/crm/notifications/fields.ts'
import { isAddress, whyNotAddress } from '#shared/recipients.ts'
import { queryOptionsFor, request } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { FilesField } from '#web/files/FilesField.tsx'
import { FileList } from '#web/files/FileList.tsx'
import { ChoiceField, LongTextField, TextField } from '#web/form/inputs.tsx'
import { FormPage } from '#web/form/FormPage.tsx'
import { changedOf } from '#web/form/changedOf.ts'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { useRecordSnapshot } from '#web/form/useRecordSnapshot.ts'
import { asChoices, useLists } from '#web/filter/useOptions.ts'
import { useChanged } from '#web/live.ts'
import { LiveMailProgress } from '#web/mail/MailProgress.tsx'
import { greetingHint, MailPreview } from '#web/mail/MailPreview.tsx'
import { Moment } from '#web/Moment.tsx'
import { Facts } from '#web/record/Facts.tsx'
import { RecordLayout, RecordPage } from '#web/record/RecordPage.tsx'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { Timeline } from '#web/record/Timeline.tsx'
import { useMerged } from '#web/record/useMerged.tsx'
import { useRemove } from '#web/record/useRemove.ts'
import { RichText } from '#web/richtext/RichText.tsx'
import { RichTextField } from '#web/richtext/RichTextField.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { NoAccessPage } from '#web/states/NoAccess.tsx'
import { hiddenRecipients } from '#web/mail/hiddenRecipients.ts'
import { askToProceed } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'
import { Panel } from '#web/parts/Panel.tsx'
import { Soft } from '#web/parts/Soft.tsx'

const list = '/notifications'
const parents = [[list, 'Notifications']] as const
const refresh = [notifications.list, notifications.show]
const empty = { subject: '', message: '', type: '1', to: 'all', emails: '', file_ids: [] as number[] }
type Values = typeof empty
const valuesOf = (one: Notification): Values => ({
  subject: one.subject,
  message: one.message,
  type: String(one.type),
  to: one.emails.length ? 'chosen' : 'all',
  emails: one.emails.join('\n'),
  file_ids: one.notification_image ? [one.notification_image.id] : [],
})
const unwritten = { version: 0 }
const emailsOf = ({ to, emails }: Pick<Values, 'to' | 'emails'>) =>
  to === 'all' ? [...toEveryone] : emails.split(/[\s,;]+/).filter(Boolean)
const toSend = ({ to, emails, type, ...rest }: Values) => ({
  ...rest,
  type: Number(type),
  emails: emailsOf({ to, emails }),
})

/** Page for writing a notification and sending it, optionally to the author first as a test. */
export function NewNotificationPage() {
  const may = useMay(notifications.recipients, { body: { emails: [...toEveryone] } })
  if (!may) return <NoAccessPage parents={parents} />
  return (
    <>
      <PageHeader parents={parents} />
      <Form />
    </>
  )
}

/** Page for continuing a draft, or for viewing a sent notification and its delivery progress. */
export function NotificationPage() {
  const { notification } = useParams({ strict: false }) as { notification?: string }
  useChanged('notification', useMay(notifications.list) ? [notifications.show] : [])
  return (
    <RecordPage<{ data: Notification; may_update: boolean }>
      asked={queryOptionsFor(notifications.show, { params: { id: Number(notification) } })}
      title="Edit notification"
    >
      {({ data, may_update }) => (
        <NotificationDetails key={`${data.id}-${data.status}`} notification={data} mayUpdate={may_update} />
      )}
    </RecordPage>
  )
}

function NotificationDetails({
  notification,
  mayUpdate,
}: {
  notification: Notification
  mayUpdate: boolean
}) {
  const navigate = useNavigate()
  const { notification_types } = useLists('notification_types')
  const mayRemove = useMay(notifications.remove, { params: { id: notification.id } })
  const { remove } = useRemove('notification', { refresh, onDone: () => void navigate({ to: list }) })
  const isDraft = notification.status === 0
  return (
    <>
      <RecordHeader type="notification" id={notification.id} title={notification.subject} parents={parents}>
        {mayRemove && (
          <Button size="xs" variant="default" color="red" onClick={() => remove([notification.id])}>
            Move to trash
          </Button>
        )}
      </RecordHeader>
      <RecordLayout
        timeline={<Timeline type="notification" id={notification.id} fields={notificationFields} />}
      >
        {isDraft && mayUpdate ? (
          <Form draft={notification} />
        ) : (
          <>
            <Facts
              title="Details"
              facts={[
                {
                  name: notificationFields.status.label,
                  value: notificationStatuses[notification.status as 0],
                },
                {
                  name: notificationFields.type.label,
                  value: notification_types.find(({ id }) => id === notification.type)?.name,
                },
                {
                  name: 'To',
                  value: <Addresses notification={notification} />,
                },
                {
                  name: notificationFields.sent_at.label,
                  value: notification.sent_at && <Moment at={notification.sent_at} />,
                },
                { name: notificationFields.sent_by_name.label, value: notification.sent_by_name },
              ]}
            />
            <Panel dense aria-label={notificationFields.message.label}>
              <h2>Message</h2>
              <RichText html={notification.message} />
              {notification.notification_image && (
                <FileList
                  files={[notification.notification_image]}
                  label={notificationFields.file_ids.label}
                />
              )}
            </Panel>
            {notification.mail_id !== null && (
              <Panel dense aria-label="Progress">
                <h2>Progress</h2>
                <LiveMailProgress id={notification.mail_id} />
              </Panel>
            )}
          </>
        )}
      </RecordLayout>
    </>
  )
}

function Addresses({ notification: { emails, hidden_emails } }: { notification: Notification }) {
  if (!emails.length) return 'All subscribed users'
  return (
    <>
      {emails.join(', ')}
      {hidden_emails > 0 && <Soft>{hiddenRecipients(hidden_emails)}</Soft>}
    </>
  )
}

function Form({ draft }: { draft?: Notification }) {
  const { form, dialog } = useNotificationForm(draft)
  const maySend = useMay(notifications.recipients, { body: { emails: [...toEveryone] } })
  const emails = emailsOf(form.fields.values)
  const malformed = form.fields.values.to === 'all' ? undefined : emails.find((one) => !isAddress(one))
  const { data } = useQuery({
    ...queryOptionsFor(notifications.recipients, { body: { emails } }),
    enabled: maySend && emails.length > 0 && malformed === undefined,
  })
  // The server refuses the whole list because of a malformed address, so there is nothing to count.
  const recipients = malformed === undefined ? data : undefined
  return (
    <FormPage
      label="Notification"
      form={form}
      saveLabel="Save draft"
      actions={
        maySend && <SendActions draft={draft} form={form} count={recipients?.total} malformed={malformed} />
      }
    >
      <SubjectAndRecipients form={form} leftOut={recipients?.left_out ?? []} />
      <RichTextField
        label={notificationFields.message.label}
        required
        sendPicture={null}
        description={greetingHint}
        {...form.fields.getInputProps('message')}
      />
      <FilesField
        label={notificationFields.file_ids.label}
        most={1}
        kinds={['image']}
        {...form.fields.getInputProps('file_ids')}
      />
      {maySend && (
        <MailPreview
          subject={form.fields.values.subject}
          message={form.fields.values.message}
          load={() => {
            form.inner.flushPendingInput()
            const { subject, message } = form.fields.getValues()
            return request(notifications.preview, { body: { subject, message } })
          }}
        />
      )}
      {dialog}
    </FormPage>
  )
}

/** The form's state, and the dialog for conflicts. Saving stores a draft. */
function useNotificationForm(draft: Notification | undefined) {
  const navigate = useNavigate()
  const { send } = useSend(notifications.sendAll, { refresh, failure: 'throw' })
  const { send: keep } = useSend(notifications.update, { refresh, failure: 'throw' })
  const found = useRecordSnapshot<Notification | typeof unwritten, Values>(draft ?? unwritten, (one) =>
    'id' in one ? valuesOf(one) : empty,
  )
  const { save, dialog } = useMerged<Partial<ReturnType<typeof toSend>>>(
    { ...toSend(found.stored), version: found.record.version },
    found.stored.subject,
    notificationFields,
  )
  const form = useDraftForm<Values>({
    name: draft ? `notification-${draft.id}` : 'notification-new',
    initial: found.stored,
    newer: found.newer,
    schema: NewNotification,
    toSend,
    onSave: async (values) => {
      if (draft) {
        await save(
          changedOf(toSend(values), toSend(found.stored)),
          async (left, seen) => {
            const reply = await keep({ params: { id: draft.id }, body: { ...left, ...seen } })
            if (reply) toast.success(reply.message)
          },
          form.outdated,
        )
        return
      }
      const reply = await send({ body: { ...toSend(values), draft: 1 } })
      if (!reply?.data) return
      toast.success(reply.message)
      void navigate({ to: `/notifications/update-notification/${reply.data.id}` })
    },
  })
  return { form, dialog }
}

function SendActions({
  draft,
  form,
  count,
  malformed,
}: {
  draft: Notification | undefined
  form: DraftForm<Values>
  count: number | undefined
  /** The first address that isn't one. */
  malformed: string | undefined
}) {
  const navigate = useNavigate()
  const { send, sending } = useSend(notifications.sendAll, { refresh, failure: 'throw' })
  const { send: test, sending: testing } = useSend(notifications.sendAll, {
    onDone: ({ message }) => toast.success(message),
  })

  const sendTest = () => {
    form.inner.flushPendingInput()
    return test({ body: { ...toSend(form.fields.getValues()), test: 1 } })
  }

  /**
   * Sends the notification. The server rejects it if the number of recipients no longer matches the number on
   * the button.
   */
  async function sendToRecipients(): Promise<void> {
    form.inner.flushPendingInput()
    const now = form.fields.getValues()
    if (form.fields.validate().hasErrors || count === undefined) return
    const question = `Send “${now.subject}” to ${count === 1 ? '1 user' : `${count} users`}?`
    if (!(await askToProceed(question, { detail: 'You can’t edit it after sending.' }))) return
    try {
      const reply = await send({
        body: { ...toSend(now), expected: count, ...(draft ? { id: draft.id } : {}) },
      })
      if (!reply?.data) return
      toast.success(reply.message)
      const sent = reply.data.id
      form.discard()
      // Leave the page only after the cleared form has rendered, so that no warning about unsaved changes
      // appears.
      setTimeout(() => void navigate({ to: `/notifications/update-notification/${sent}` }))
    } catch (error) {
      toast.failure((error as Error).message)
    }
  }

  return (
    <>
      <Button variant="default" loading={testing} onClick={() => void sendTest()}>
        Send test email
      </Button>
      <Button
        variant="default"
        loading={sending || (!draft && form.saving)}
        disabled={count === undefined || count === 0 || form.saveBlockedReason !== undefined}
        title={malformed === undefined ? undefined : whyNotAddress(malformed)}
        onClick={() => void sendToRecipients()}
      >
        {count === undefined
          ? 'Send'
          : `Send to ${count.toLocaleString('en-US')} ${count === 1 ? 'recipient' : 'recipients'}`}
      </Button>
    </>
  )
}

function SubjectAndRecipients({
  form: { fields },
  leftOut,
}: {
  form: DraftForm<Values>
  leftOut: readonly { why: string; count: number }[]
}) {
  const { notification_types } = useLists('notification_types')
  return (
    <>
      <TextField
        form={fields}
        name="subject"
        label={notificationFields.subject.label}
        required
        maxLength={200}
      />
      <ChoiceField
        form={fields}
        name="type"
        label={notificationFields.type.label}
        options={asChoices(notification_types)}
      />
      <ChoiceField
        form={fields}
        name="to"
        label="To"
        options={[
          { value: 'all', label: 'All subscribed users' },
          { value: 'chosen', label: 'Specific email addresses' },
        ]}
      />
      {fields.values.to === 'chosen' && (
        <LongTextField form={fields} name="emails" label="Email addresses, one per line" rows={4} />
      )}
      {leftOut.length > 0 && (
        <Soft role="status">
          Excluded: {leftOut.map(({ why, count: many }) => `${why} (${many})`).join(', ')}.
        </Soft>
      )}
    </>
  )
}
