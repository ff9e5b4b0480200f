import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { Fields } from '#shared/field.ts'
import { NewNotification, notifications, type Notification } from '#features/crm/notifications/contract.ts'
import { notificationFields, notificationStatuses, toEveryone } from '#features/crm/notifications/fields.ts'
import { isAddress, whyNotAddress } from '#shared/recipients.ts'
import { queryOptionsFor, request } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { FilesField } from '#web/files/FilesField.tsx'
import { FileList } from '#web/files/FileList.tsx'
import { Field } from '#web/form/Field.tsx'
import { LongTextField } from '#web/form/inputs.tsx'
import { FormPage } from '#web/form/FormPage.tsx'
import type { FieldsForm } from '#web/form/useFieldsForm.ts'
import { useRecordForm } from '#web/form/useRecordForm.tsx'
import { asChoices, useLists } from '#web/filter/useOptions.ts'
import { LiveMailProgress } from '#web/mail/MailProgress.tsx'
import { greetingHint, MailPreview } from '#web/mail/MailPreview.tsx'
import { Moment } from '#web/Moment.tsx'
import { Facts } from '#web/record/Facts.tsx'
import { RecordLayout, RecordPage } from '#web/record/RecordPage.tsx'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { Timeline } from '#web/record/Timeline.tsx'
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

const formFields = {
  ...notificationFields,
  to: {
    label: 'To',
    empty: 'all',
    formValue: ({ emails }: { emails?: readonly string[] }) => (emails?.length ? 'chosen' : 'all'),
  },
} as const satisfies Fields
type NotificationInputs = FieldsForm<typeof formFields>

const emailsOf = ({ to, emails }: { to: string; emails: string }) =>
  to === 'all' ? [...toEveryone] : emails.split(/[\s,;]+/).filter(Boolean)
const adapt = <Sent extends { to: string; emails: string[] }>({ to, ...sent }: Sent) => ({
  ...sent,
  emails: to === 'all' ? [...toEveryone] : sent.emails,
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
  const { remove } = useRemove('notification', { onDone: () => void navigate({ to: list }) })
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
  const form = useNotificationForm(draft)
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
      <RichTextField {...form.control('message')} required sendPicture={null} description={greetingHint} />
      <FilesField {...form.control('file_ids')} most={1} kinds={['image']} />
      {maySend && (
        <MailPreview
          subject={form.fields.values.subject}
          message={form.fields.values.message}
          load={() => {
            const { subject, message } = form.sent()
            return request(notifications.preview, { body: { subject, message } })
          }}
        />
      )}
    </FormPage>
  )
}

/** The form's state. Saving stores a draft. */
function useNotificationForm(draft: Notification | undefined): NotificationInputs {
  const navigate = useNavigate()
  const { send } = useSend(notifications.sendAll, { failure: 'throw' })
  const { send: keep } = useSend(notifications.update, { failure: 'throw' })
  return useRecordForm({
    name: draft ? `notification-${draft.id}` : 'notification-new',
    fields: formFields,
    schema: NewNotification,
    record: draft,
    title: draft?.subject ?? '',

    adapt,
    create: async (body) => {
      const reply = await send({ body: { ...body, draft: 1 } })
      if (!reply?.data) return undefined
      void navigate({ to: `/notifications/update-notification/${reply.data.id}` })
      return reply
    },
    update: async (body) => {
      const reply = await keep({ params: { id: draft!.id }, body })
      return reply && { message: reply.message }
    },
  })
}

function SendActions({
  draft,
  form,
  count,
  malformed,
}: {
  draft: Notification | undefined
  form: NotificationInputs
  count: number | undefined
  /** The first address that isn't one. */
  malformed: string | undefined
}) {
  const navigate = useNavigate()
  const { send, sending } = useSend(notifications.sendAll, { failure: 'throw' })
  const { send: test, sending: testing } = useSend(notifications.sendAll, {
    onDone: ({ message }) => toast.success(message),
  })

  const sendTest = () => test({ body: { ...adapt(form.sent()), test: 1 } })

  /**
   * Sends the notification. The server rejects it if the number of recipients no longer matches the number on
   * the button.
   */
  async function sendToRecipients(): Promise<void> {
    const now = form.sent()
    if (form.fields.validate().hasErrors || count === undefined) return
    const question = `Send “${now.subject}” to ${count === 1 ? '1 user' : `${count} users`}?`
    if (!(await askToProceed(question, { detail: 'You can’t edit it after sending.' }))) return
    try {
      const reply = await send({
        body: { ...adapt(now), expected: count, ...(draft ? { id: draft.id } : {}) },
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
  form,
  leftOut,
}: {
  form: NotificationInputs
  leftOut: readonly { why: string; count: number }[]
}) {
  const { notification_types } = useLists('notification_types')
  return (
    <>
      <Field form={form} name="subject" />
      <Field form={form} name="type" options={asChoices(notification_types)} />
      <Field
        form={form}
        name="to"
        options={[
          { value: 'all', label: 'All subscribed users' },
          { value: 'chosen', label: 'Specific email addresses' },
        ]}
      />
      {form.fields.values.to === 'chosen' && (
        <LongTextField
          {...form.at('emails')}
          label="Email addresses, one per line"
          required={false}
          rows={4}
        />
      )}
      {leftOut.length > 0 && (
        <Soft role="status">
          Excluded: {leftOut.map(({ why, count: many }) => `${why} (${many})`).join(', ')}.
        </Soft>
      )}
    </>
  )
}
