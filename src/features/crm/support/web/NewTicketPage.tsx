import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Fields } from '#shared/field.ts'
import { callerFields, newTicketDraft } from '#shared/new-ticket.ts'
import { tickets } from '#features/crm/support/contract.ts'
import { NewTicket } from '#features/crm/support/new-ticket.contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { KnownRequesters } from '#features/crm/support/web/KnownRequesters.tsx'
import { ticketAddress } from '#features/crm/support/web/ticketWords.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import { FormPage } from '#web/form/FormPage.tsx'
import { OrganizationField } from '#web/form/OrganizationField.tsx'
import type { FieldsForm } from '#web/form/useFieldsForm.ts'
import { useRecordForm } from '#web/form/useRecordForm.tsx'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { asChoices, useLists } from '#web/filter/useOptions.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { NoAccessPage } from '#web/states/NoAccess.tsx'

const formFields = {
  title: { ...ticketFields.title, empty: '' },
  category: { ...ticketFields.category, empty: '1' },
  org_id: { label: ticketFields.organization_id.label, empty: '' },
  user_id: { label: ticketFields.requester.label, empty: '' },
  to_customer: { label: 'Message from', empty: '' },
  sender_name: { ...ticketFields.sender_name, empty: '' },
  sender_phone: { ...ticketFields.sender_phone, empty: '' },
  sender_email: { ...ticketFields.sender_email, empty: '' },
  delivery_date: { ...ticketFields.delivery_date, empty: '' },
  message: { label: 'Message', empty: '' },
  file_ids: { label: 'Attachments', empty: [] as number[] },
} as const satisfies Fields
interface Requester {
  org_id: string
  user_id: string
  /** Search for a caller who has no account; may be empty. */
  caller: string
}

/** Of a ticket whose requester has an account. */
const noSender = { sender_name: '', sender_phone: '', sender_email: '' }

const newTicket = { body: { title: '', message: '' } }

const idIn = (value: unknown) => (/^[1-9]\d{0,8}$/.test(String(value)) ? String(value) : '')
/** The router reads a number without a sign as a number. */
const textIn = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim().slice(0, 100) : ''

/**
 * Page for filing a ticket for a customer or for the viewer. The URL can name the organization and the user who
 * requests it (`newTicketAddress`), or a caller without an account (`newTicketOfCaller`); drafts are kept
 * separately for each.
 */
export function GenerateTicketPage() {
  const search: { organization?: unknown; requester?: unknown; caller?: unknown } = useSearch({
    strict: false,
  })
  const org_id = idIn(search.organization)
  const user_id = org_id && idIn(search.requester)
  const caller = org_id === '' ? textIn(search.caller) : ''
  return (
    <NewTicketForm
      key={`${org_id} ${user_id} ${caller}`}
      list="/support"
      listName="Support tickets"
      requester={{ org_id, user_id, caller }}
    />
  )
}

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
  requester?: Requester
}) {
  const forCustomers = requester !== undefined
  const navigate = useNavigate()
  const { send } = useSend(tickets.create, { failure: 'throw' })
  const may = useMay(tickets.create, newTicket)
  const whyNotSave = useWhyNotSave(tickets.create, newTicket)
  const mayChooseUser = useMay(tickets.requesters, { query: { org_id: 1 } }) && forCustomers
  const form = useRecordForm({
    name: requester ? newTicketDraft(requester.org_id, requester.user_id, requester.caller) : 'request-new',
    fields: formFields,
    schema: NewTicket,
    initial: requester && initialOf(requester),
    create: async ({ org_id, user_id, to_customer, ...sent }) => {
      const ids = { org_id: Number(org_id), user_id: Number(user_id) }
      // Fields that the chosen requester doesn’t have aren’t shown.
      const isOfUser = ids.user_id !== 0
      const other = isOfUser ? noSender : {}
      const isSent = (isOfUser || sent.sender_email !== '') && Number(to_customer) === 1
      const reply = await send({ body: { ...sent, ...other, ...ids, to_customer: isSent ? 1 : 0 } })
      if (!reply) return undefined
      const { id, org_id: of } = reply.data
      void navigate({
        to:
          forCustomers && mayChooseUser ? ticketAddress(reply.data) : `/support-requests/request/${id}/${of}`,
      })
      return reply
    },
  })
  if (!may) return <NoAccessPage parents={[[list, listName]]} />
  return (
    <>
      <PageHeader parents={[[list, listName]]} />
      <FormPage
        label={forCustomers ? 'New ticket' : 'New support request'}
        isNew
        form={form}
        whyNotSave={whyNotSave}
        saveLabel={isToCustomer(form) ? 'Create and send' : forCustomers ? 'Create ticket' : 'Create request'}
        onCancel={() => void navigate({ to: list })}
      >
        <TicketInputs form={form} forCustomers={forCustomers} />
      </FormPage>
    </>
  )
}

const initialOf = ({ caller, ...ids }: Requester) => ({ ...ids, ...(caller !== '' && callerFields(caller)) })

interface InputsProps {
  form: FieldsForm<typeof formFields>
  forCustomers: boolean
}

function TicketInputs({ form, forCustomers }: InputsProps) {
  const { ticket_categories } = useLists('ticket_categories')
  const mayChooseUser = useMay(tickets.requesters, { query: { org_id: 1 } })
  const isOfCaller = forCustomers && mayChooseUser && form.fields.values.user_id === ''
  return (
    <>
      {isOfCaller && <CallerFields form={form} />}
      {forCustomers && (
        <OrganizationField
          {...form.at('org_id')}
          fixed={[{ value: '', label: 'No organization' }]}
          // Clear the selected user, who belongs to the previous organization and is no longer offered.
          onChosen={() => form.fields.setFieldValue('user_id', '')}
        />
      )}
      {forCustomers && mayChooseUser && form.fields.values.org_id !== '' && <RequesterField form={form} />}
      <Field form={form} name="title" autoFocus={!isOfCaller} />
      {forCustomers && hasCustomer(form) && (
        <Field
          form={form}
          name="to_customer"
          options={[
            { value: '', label: 'The customer; I write down what they said' },
            { value: '1', label: 'Me; the customer gets it by email' },
          ]}
        />
      )}
      <Field form={form} name="category" half={forCustomers} options={asChoices(ticket_categories)} />
      {forCustomers && <Field form={form} name="delivery_date" half />}
      <Field form={form} name="message" hasFewTools />
      <Field form={form} name="file_ids" />
    </>
  )
}

/** Whether the requester is someone who can get an email. */
const hasCustomer = ({ fields: { values } }: FieldsForm<typeof formFields>) =>
  values.user_id !== '' || values.sender_email !== ''

const isToCustomer = (form: FieldsForm<typeof formFields>) =>
  hasCustomer(form) && form.fields.values.to_customer === '1'

/** Field for choosing the user of the organization who requests this. */
function RequesterField({ form }: Pick<InputsProps, 'form'>) {
  const query = { org_id: Number(form.fields.values.org_id) }
  const users = useQuery(queryOptionsFor(tickets.requesters, { query })).data?.data ?? []
  const { sender_name, sender_email } = form.fields.values
  const isOther = sender_name !== '' || sender_email !== ''
  return (
    <Field
      form={form}
      name="user_id"
      options={asChoices(users, isOther ? 'Someone without an account' : 'Me')}
    />
  )
}

/** Fields for a requester without an account, such as a caller. */
function CallerFields({ form }: Pick<InputsProps, 'form'>) {
  const { sender_name, sender_phone, sender_email } = form.fields.values
  return (
    <>
      <Field
        form={form}
        name="sender_name"
        description="Of someone without an account, such as a caller. Without a name and an email, you are the requester."
      />
      <Field form={form} name="sender_phone" type="tel" half />
      <Field
        form={form}
        name="sender_email"
        half
        description={sender_name !== '' && sender_email === '' && 'Without it, replies can’t be emailed.'}
      />
      <KnownRequesters
        typed={[sender_name, sender_phone, sender_email]}
        onChoose={({ id, organization_id }) => {
          form.fields.setFieldValue('org_id', String(organization_id))
          form.fields.setFieldValue('user_id', String(id))
        }}
        onChooseCaller={({ name, phone, email, org_id }) => {
          form.fields.setFieldValue('sender_name', name)
          form.fields.setFieldValue('sender_phone', phone)
          form.fields.setFieldValue('sender_email', email ?? '')
          if (org_id !== 0) form.fields.setFieldValue('org_id', String(org_id))
        }}
      />
    </>
  )
}
