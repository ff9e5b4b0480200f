import { useQuery } from '@tanstack/react-query'
import { Button, MultiSelect, Input } from '@mantine/core'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { NewTicketComment, support, type Ticket } from '#features/crm/support/contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { ask } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { ChoiceField, LongTextField } from '#web/form/fields.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { Moment } from '#web/Moment.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { records } from '#shared/record.contract.ts'
import { toast } from '#web/shell/toast.ts'

const empty = { support_comment: '', tag_user: [] as string[], message_id: '' }

/** What staff say among themselves about a ticket; who is tagged is told. */
export function Comments({ ticket }: { ticket: Ticket }) {
  const { send } = useSend(support.comment, { refresh: [support.show, records.history], failure: 'throw' })
  const people = useQuery(ask(support.taggable, { params: { id: ticket.id } })).data?.data ?? []
  const toSend = ({ support_comment, tag_user, message_id }: typeof empty) => ({
    support_comment,
    ticket_id: ticket.id,
    tag_user: tag_user.map(Number),
    ...(message_id === '' ? {} : { message_id: Number(message_id) }),
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
    <section className={classes.panel} aria-label="Comments">
      <h2>Comments among staff</h2>
      {ticket.comments.length === 0 && <p className={classes.soft}>There are none.</p>}
      <ul className={classes.comments}>
        {ticket.comments.map((comment) => (
          <li key={comment.id} className={classes.comment}>
            <span className={classes.byline}>
              {comment.who} · <Moment at={comment.created_at} />
              {comment.tag_user.length > 0 && ` · for ${comment.tag_user.map(({ name }) => name).join(', ')}`}
              {comment.message_id !== null && (
                <>
                  {' · about '}
                  <a href={`#message-${comment.message_id}`}>a message</a>
                </>
              )}
              {comment.lead_id !== null && (
                <>
                  {' · '}
                  <PageLink to={`/demo-leads/lead/${comment.lead_id}`}>{`Lead ${comment.lead_id}`}</PageLink>
                </>
              )}
            </span>
            {comment.support_comment}
          </li>
        ))}
      </ul>
      <form {...form.formProps} className={classes.form} aria-label="Comment">
        <LongTextField form={form.fields} name="support_comment" label="Comment" rows={3} required maxLength={10_000} />
        <MultiSelect
          size="xs"
          label="Tell"
          searchable
          data={people.map(({ id, name }) => ({ value: String(id), label: name }))}
          {...form.fields.getInputProps('tag_user')}
        />
        <ChoiceField
          form={form.fields}
          name="message_id"
          label="About the message"
          options={[
            { value: '', label: 'The whole ticket' },
            ...ticket.messages.map(({ id, who }, index) => ({ value: String(id), label: `${index + 1}. ${who}` })),
          ]}
        />
        {form.failure && <Input.Error role="alert">{form.failure}</Input.Error>}
        <div className={classes.buttons}>
          <Button type="submit" size="xs" variant="default" loading={form.saving}>
            Comment
          </Button>
        </div>
      </form>
    </section>
  )
}
