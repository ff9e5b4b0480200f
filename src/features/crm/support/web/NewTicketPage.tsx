import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
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
import { NoAccessPage } from '#web/states/NoAccess.tsx'
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

const idIn = (value: unknown) => (/^[1-9]\d{0,8}$/.test(String(value)) ? String(value) : '')

/**
 * Page for filing a ticket for a customer or for the viewer. The URL can name the organization and the user who
 * requests it (`newTicketAddress`); drafts are kept separately for each.
 */
export function GenerateTicketPage() {
  const search: { organization?: unknown; requester?: unknown } = useSearch({ strict: false })
  const org_id = idIn(search.organization)
  const user_id = org_id && idIn(search.requester)
  return (
    <NewTicketForm
      key={`${org_id} ${user_id}`}
      list="/support"
      listName="Support tickets"
      requester={{ org_id, user_id }}
    />
  )
}

/** Returns the part of a draft's name that tells for whom the ticket is. */
const nameOf = ({ org_id, user_id }: Pick<typeof empty, 'org_id' | 'user_id'>) =>
  [org_id, user_id].map((id) => id && `-${id}`).join('')

/** Page where viewers submit their own support request. */
export const NewRequestPage = () => <NewTicketForm list="/support-requests" listName="Support requests" />

function NewTicketForm({
  list,
  listName,
  requester,
}: {
  list: string
  listName: string
  /** Who requests it, if that can be chosen. */
  requester?: Pick<typeof empty, 'org_id' | 'user_id'>
}) {
  const forCustomers = requester !== undefined
  const navigate = useNavigate()
  const { send } = useSend(tickets.create, { refresh: ticketQueries, failure: 'throw' })
  const may = useMay(tickets.create, { body: toSend(empty) })
  const whyNotSave = useWhyNotSave(tickets.create, { body: toSend(empty) })
  const mayChooseUser = useMay(tickets.requesters, { query: { org_id: 1 } }) && forCustomers
  const form = useDraftForm({
    name: requester ? `ticket-new${nameOf(requester)}` : 'request-new',
    initial: { ...empty, ...requester },
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
  if (!may) return <NoAccessPage parents={[[list, listName]]} />
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
        <TicketFields fields={form.fields} forCustomers={forCustomers} />
        <RichTextField label="Message" required {...form.fields.getInputProps('message')} />
        <FilesField label="Attachments" {...form.fields.getInputProps('file_ids')} />
      </FormPage>
    </>
  )
}

interface FieldsProps {
  fields: DraftForm<typeof empty>['fields']
  forCustomers: boolean
}

function TicketFields({ fields, forCustomers }: FieldsProps) {
  const { ticket_categories } = useLists('ticket_categories')
  const mayChooseUser = useMay(tickets.requesters, { query: { org_id: 1 } })
  return (
    <>
      <TextField
        form={fields}
        name="title"
        label={ticketFields.title.label}
        required
        autoFocus
        maxLength={300}
      />
      <ChoiceField
        form={fields}
        name="category"
        label={ticketFields.category.label}
        options={asChoices(ticket_categories)}
      />
      {forCustomers && (
        <OrganizationField
          form={fields}
          name="org_id"
          label={ticketFields.organization_id.label}
          fixed={[{ value: '', label: 'No organization' }]}
          // Clear the selected user, who belongs to the previous organization and is no longer offered.
          onChosen={() => fields.setFieldValue('user_id', '')}
        />
      )}
      {forCustomers && mayChooseUser && fields.values.org_id !== '' && <RequesterField fields={fields} />}
      {forCustomers && (
        <DayField form={fields} name="delivery_date" label={ticketFields.delivery_date.label} />
      )}
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
