import { Suspense } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button, MultiSelect, Input } from '@mantine/core'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { NewTicketComment, support, type Ticket } from '#features/crm/support/contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { queryOptionsFor, request } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { ChoiceField, LongTextField } from '#web/form/inputs.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { Moment } from '#web/Moment.tsx'
import { RecordLink } from '#web/record/RecordLink.tsx'
import { useViewer } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { can } from '#shared/access.ts'
import { records } from '#shared/record.contract.ts'
import { toast } from '#web/message/toast.ts'
import { Panel } from '#web/parts/Panel.tsx'

const SearchSelect = lazyPart(() => import('#web/form/SearchSelect.tsx'))

const empty = { support_comment: '', tag_user: [] as string[], message_id: '', lead_id: '' }

/** Internal comments on a ticket; tagged staff are notified. */
export function Comments({ ticket }: { ticket: Ticket }) {
  return (
    <Panel dense aria-label="Comments">
      <h2>Internal comments</h2>
      {ticket.comments.length === 0 && <p className={classes.soft}>No internal comments yet.</p>}
      <ul className={classes.comments}>
        {ticket.comments.map((comment) => (
          <Comment key={comment.id} comment={comment} />
        ))}
      </ul>
      <CommentForm ticket={ticket} />
    </Panel>
  )
}

function Comment({ comment }: { comment: Ticket['comments'][number] }) {
  return (
    <li className={classes.comment}>
      <span className={classes.byline}>
        {comment.who} · <Moment at={comment.created_at} />
        {comment.tag_user.length > 0 && ` · tagged ${comment.tag_user.map(({ name }) => name).join(', ')}`}
        {comment.message_id !== null && (
          <>
            {' · about '}
            <a href={`#message-${comment.message_id}`}>a message</a>
          </>
        )}
        {comment.lead_id !== null && (
          <>
            {' · '}
            <RecordLink type="lead" id={comment.lead_id} name={`Lead ${comment.lead_id}`} />
          </>
        )}
      </span>
      {comment.support_comment}
    </li>
  )
}

function CommentForm({ ticket }: { ticket: Ticket }) {
  const { send } = useSend(support.comment, { refresh: [support.show, records.history], failure: 'throw' })
  const maySearchLeads = can(useViewer(), 'lead_list')
  const people = useQuery(queryOptionsFor(support.taggable, { params: { id: ticket.id } })).data?.data ?? []
  const toSend = ({ support_comment, tag_user, message_id, lead_id }: typeof empty) => ({
    support_comment,
    ticket_id: ticket.id,
    tag_user: tag_user.map(Number),
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
    <form {...form.formProps} className={classes.form} aria-label="Comment">
      <LongTextField
        form={form.fields}
        name="support_comment"
        label="Comment"
        rows={3}
        required
        maxLength={10_000}
      />
      <MultiSelect
        size="xs"
        label="Notify"
        searchable
        data={people.map(({ id, name }) => ({ value: String(id), label: name }))}
        {...form.fields.getInputProps('tag_user')}
      />
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
      {form.failure && <Input.Error role="alert">{form.failure}</Input.Error>}
      <div className={classes.buttons}>
        <Button type="submit" size="xs" variant="default" loading={form.saving}>
          Comment
        </Button>
      </div>
    </form>
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
