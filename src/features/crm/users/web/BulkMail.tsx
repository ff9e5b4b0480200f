import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { mailingList } from '#features/crm/users/mailing-list.contract.ts'
import { UserMail } from '#features/crm/users/emails.contract.ts'
import { mailFields, MailFields } from '#features/crm/users/web/MailFields.tsx'
import classes from '#features/crm/users/web/users.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { OrganizationChoice } from '#web/form/OrganizationField.tsx'
import { useFieldsForm } from '#web/form/useFieldsForm.ts'
import { RowAction } from '#web/list/cells.tsx'
import { BulkMailDialog } from '#web/mail/BulkMailDialog.tsx'
import { useMyProducts } from '#web/session.ts'
import { toast } from '#web/message/toast.ts'
import { countText } from '#web/time.ts'
import { Soft } from '#web/parts/Soft.tsx'

/**
 * Form for emailing the viewer's own list of users and organizations. Users who join an organization before
 * the email is sent receive it too.
 */
export default function BulkMail({
  product_id,
  onClose,
}: {
  product_id: number | undefined
  onClose: () => void
}) {
  const product = useMyProducts().find(({ id }) => id === product_id)?.name
  const ofProduct = product_id === undefined ? {} : { product_id }
  const list = useQuery({ ...queryOptionsFor(mailingList.senders, { query: ofProduct }), staleTime: 0 }).data
  const [sent, setSent] = useState<number>()
  const { send } = useSend(mailingList.sendBulkEmail, { failure: 'throw' })
  const { send: test, sending: testing } = useSend(mailingList.testBulkEmail, {
    onDone: ({ message }) => toast.success(message),
  })
  const { send: change } = useSend(mailingList.saveSender)
  const form = useFieldsForm({
    name: 'users-bulk-mail',
    fields: mailFields,
    schema: UserMail,
    onSave: async (mail) => {
      const reply = await send({ body: { ...mail, ...ofProduct } })
      if (reply) {
        setSent(reply.mail_id)
        toast.success(`${reply.message} You can cancel it for the next minute.`)
      }
    },
  })
  const { subject, note } = form.fields.values
  return (
    <BulkMailDialog
      title="Send bulk email"
      form={form}
      onClose={onClose}
      recipients={list && { count: list.count, leftOut: list.left_out, leftOutTotal: list.left_out_total }}
      onTest={() => void test({ body: { subject, note } })}
      testing={testing}
      whyNotSave={subject.trim() && note.trim() ? undefined : 'Enter a subject and a message.'}
      sent={sent}
    >
      <section className={classes.notes} aria-label="My mailing list">
        <h3>{product ? `My mailing list for ${product}` : 'My mailing list'}</h3>
        <OrganizationChoice
          label="Add organization"
          value=""
          product={product_id}
          onChange={(id) => void change({ body: { org_ids: [Number(id)], ...ofProduct } })}
        />
        <Soft small>
          To add individual users, select them in the user list and choose “Add to my mailing list”.
        </Soft>
        <ul className={classes.senders}>
          {list?.data.map((one) => (
            <li key={one.id}>
              <span>
                {one.name}
                {one.organization_id !== null && ` (${countText(one.users)} users)`}
              </span>
              <RowAction
                type="button"
                aria-label={`Remove ${one.name} from the list`}
                onClick={() => void change({ body: { remove_sender_ids: [one.id], ...ofProduct } })}
              >
                Remove
              </RowAction>
            </li>
          ))}
        </ul>
      </section>
      <MailFields form={form} />
    </BulkMailDialog>
  )
}
