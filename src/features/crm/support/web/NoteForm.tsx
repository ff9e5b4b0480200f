import { Suspense } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { can } from '#shared/access.ts'
import { records } from '#shared/record.contract.ts'
import { type Ticket, tickets } from '#features/crm/support/contract.ts'
import { conversation, NewTicketComment } from '#features/crm/support/conversation.contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { queryOptionsFor, request } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { ComposerForm } from '#web/composer/ComposerForm.tsx'
import { mentionedIn, MentionText } from '#web/composer/MentionText.tsx'
import { ChoiceField } from '#web/form/inputs.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { toast } from '#web/message/toast.ts'
import { useViewer } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const SearchSelect = lazyPart(() => import('#web/form/SearchSelect.tsx'))

const empty = { support_comment: '', message_id: '', lead_id: '' }

/** Form for an internal note on a ticket; admin users who are mentioned in it are notified. */
export function NoteForm({ ticket }: { ticket: Ticket }) {
  const { send } = useSend(conversation.comment, {
    refresh: [tickets.show, records.history],
    failure: 'throw',
  })
  const people =
    useQuery(queryOptionsFor(conversation.taggable, { params: { id: ticket.id } })).data?.data ?? []
  const toSend = ({ support_comment, message_id, lead_id }: typeof empty) => ({
    support_comment,
    ticket_id: ticket.id,
    tag_user: mentionedIn(support_comment, people).map(({ id }) => id),
    ...(message_id === '' ? {} : { message_id: Number(message_id) }),
    ...(lead_id === '' ? {} : { lead_id: Number(lead_id) }),
    ...(ticket.org_id === 0 ? {} : { organization_id: ticket.org_id }),
  })
  const form: DraftForm<typeof empty> = useDraftForm({
    name: `ticket-comment-${ticket.id}`,
    initial: empty,
    schema: NewTicketComment,
    toSend,
    onSave: async (values) => {
      const reply = await send({ body: toSend(values) })
      if (!reply) return
      toast.success(reply.message)
      form.discard()
    },
  })
  return (
    <ComposerForm
      label="Internal note"
      form={form}
      options={<About form={form} ticket={ticket} />}
      acts={
        <Button type="submit" size="xs" variant="default" loading={form.saving} title="Ctrl+Enter">
          Add note
        </Button>
      }
    >
      <MentionText
        label="Note"
        placeholder="Write a note that only admin users can read. Type @ to mention someone."
        maxLength={10_000}
        people={people}
        {...form.fields.getInputProps('support_comment')}
      />
    </ComposerForm>
  )
}

/** The message or lead that the note is about. */
function About({ form, ticket }: { form: DraftForm<typeof empty>; ticket: Ticket }) {
  const maySearchLeads = can(useViewer(), 'lead_list')
  return (
    <details>
      <summary>Link to a message or lead</summary>
      <div className={classes.options}>
        <ChoiceField
          form={form.fields}
          name="message_id"
          label="Related message"
          options={[
            { value: '', label: 'Entire ticket' },
            ...ticket.messages.map(({ id, who }, index) => ({
              value: String(id),
              label: `${index + 1}. ${who}`,
            })),
          ]}
        />
        {maySearchLeads && <LeadField form={form} />}
      </div>
    </details>
  )
}

const findLeads = async (search: string, signal: AbortSignal) => {
  const { leads } = await import('#features/crm/leads/contract.ts')
  const { data } = await request(
    leads.list,
    { query: { search, fromDate: 'all', toDate: 'all' } },
    { signal },
  )
  return data.leads.map(({ lead_id, companyName }) => ({
    value: String(lead_id),
    label: `${companyName} (#${lead_id})`,
  }))
}
const noLead = { value: '', label: 'None' }

/** Field for choosing, by name, the lead that a comment is about. */
function LeadField({ form: { fields } }: { form: DraftForm<typeof empty> }) {
  const { value, ...input } = fields.getInputProps('lead_id')
  return (
    <Suspense>
      <SearchSelect
        label="Related lead"
        of="lead"
        find={findLeads}
        fixed={[noLead]}
        data-path="lead_id"
        value={String(value)}
        {...input}
      />
    </Suspense>
  )
}
