import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { NewTicket, tickets } from '#features/crm/support/contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { ticketAddress, ticketQueries } from '#features/crm/support/web/ticketWords.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { FilesField } from '#web/files/FilesField.tsx'
import { ChoiceField, DayField, TextField } from '#web/form/inputs.tsx'
import { FormPage } from '#web/form/FormPage.tsx'
import { OrganizationField } from '#web/form/OrganizationField.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { asChoices, useLists } from '#web/filter/useOptions.ts'
import { RichTextField } from '#web/richtext/RichTextField.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { toast } from '#web/message/toast.ts'

const empty = {
  title: '',
  message: '',
  category: '1',
  org_id: '',
  user_id: '',
  delivery_date: '',
  file_ids: [] as number[],
}
const toSend = ({ category, org_id, user_id, ...rest }: typeof empty) => ({
  ...rest,
  category: Number(category),
  org_id: Number(org_id || 0),
  user_id: Number(user_id || 0),
})

/** Page for filing a ticket for a customer or for the viewer. */
export const GenerateTicketPage = () => (
  <NewTicketForm list="/support" listName="Support tickets" forCustomers />
)
/** Page where viewers submit their own support request. */
export const NewRequestPage = () => <NewTicketForm list="/support-requests" listName="Support requests" />

function NewTicketForm({
  list,
  listName,
  forCustomers = false,
}: {
  list: string
  listName: string
  forCustomers?: boolean
}) {
  const navigate = useNavigate()
  const { send } = useSend(tickets.create, { refresh: ticketQueries, failure: 'throw' })
  const { ticket_categories } = useLists('ticket_categories')
  const may = useMay(tickets.create, { body: toSend(empty) })
  const whyNotSave = useWhyNotSave(tickets.create, { body: toSend(empty) })
  const mayChooseUser = useMay(tickets.requesters, { query: { org_id: 1 } }) && forCustomers
  const form = useDraftForm({
    name: forCustomers ? 'ticket-new' : 'request-new',
    initial: empty,
    schema: NewTicket,
    toSend,
    onSave: async (values) => {
      const reply = await send({ body: toSend(values) })
      if (!reply) return
      toast.success(reply.message)
      const { id, org_id } = reply.data
      void navigate({
        to:
          forCustomers && mayChooseUser
            ? ticketAddress(reply.data)
            : `/support-requests/request/${id}/${org_id}`,
      })
    },
  })
  const { org_id } = form.fields.values
  if (!may) return <PageHeader parents={[[list, listName]]} />
  return (
    <>
      <PageHeader parents={[[list, listName]]} />
      <FormPage
        label={forCustomers ? 'New ticket' : 'New support request'}
        form={form}
        whyNotSave={whyNotSave}
        saveLabel={forCustomers ? 'Create ticket' : 'Create request'}
        onCancel={() => void navigate({ to: list })}
      >
        <TextField
          form={form.fields}
          name="title"
          label={ticketFields.title.label}
          required
          autoFocus
          maxLength={300}
        />
        <ChoiceField
          form={form.fields}
          name="category"
          label={ticketFields.category.label}
          options={asChoices(ticket_categories)}
        />
        {forCustomers && (
          <OrganizationField
            form={form.fields}
            name="org_id"
            label={ticketFields.organization_id.label}
            fixed={[{ value: '', label: 'No organization' }]}
            // Clear the selected user, who belongs to the previous organization and is no longer offered.
            onChosen={() => form.fields.setFieldValue('user_id', '')}
          />
        )}
        {mayChooseUser && org_id !== '' && <RequesterField fields={form.fields} />}
        {forCustomers && (
          <DayField form={form.fields} name="delivery_date" label={ticketFields.delivery_date.label} />
        )}
        <RichTextField label="Message" required {...form.fields.getInputProps('message')} />
        <FilesField label="Attachments" {...form.fields.getInputProps('file_ids')} />
      </FormPage>
    </>
  )
}

/** Field for choosing the user of the organization who requests this. */
function RequesterField({ fields }: { fields: DraftForm<typeof empty>['fields'] }) {
  const query = { org_id: Number(fields.values.org_id) }
  const users = useQuery(queryOptionsFor(tickets.requesters, { query })).data?.data ?? []
  return (
    <ChoiceField
      form={fields}
      name="user_id"
      label={ticketFields.requester.label}
      options={[
        { value: '', label: 'Me' },
        ...users.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  )
}
