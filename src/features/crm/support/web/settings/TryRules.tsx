import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { RulePerson } from '#features/crm/support/assignment-rules.contract.ts'
import { priorityName } from '#features/crm/support/rules.ts'
import { ticketRules, type TriedTicket } from '#features/crm/support/ticket-rules.contract.ts'
import classes from '#features/crm/support/web/settings/settings.module.css'
import type { ticketRulesToSend } from '#features/crm/support/web/settings/ticketRuleForm.ts'
import { ticketAddress } from '#features/crm/support/web/ticketWords.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useLists } from '#web/filter/useOptions.ts'
import { Loaded } from '#web/list/states.tsx'
import { useDialog } from '#web/parts/useDialog.ts'
import { Soft } from '#web/parts/Soft.tsx'

interface Props {
  rules: ReturnType<typeof ticketRulesToSend>
  people: readonly RulePerson[]
  onClose: () => void
}

/** Shows which of the last tickets the rules would have sorted, and how. */
export default function TryRules({ rules, people, onClose }: Props) {
  const query = useQuery({ ...queryOptionsFor(ticketRules.try, { body: rules }), gcTime: 0 })
  return (
    <Modal {...useDialog()} opened onClose={onClose} title="Try the rules" size="lg">
      <Loaded query={query}>
        {({ data, total }) => <Result tickets={data} total={total} people={people} />}
      </Loaded>
    </Modal>
  )
}

interface ResultProps extends Pick<Props, 'people'> {
  tickets: readonly TriedTicket[]
  total: number
}

function Result({ tickets, total, people }: ResultProps) {
  if (total === 0) return <p>There are no tickets yet.</p>
  return (
    <>
      <p role="status">
        The rules fit {tickets.length} of {total === 1 ? '1 ticket' : `the last ${total} tickets`}. Nothing
        was changed.
      </p>
      {tickets.length > 0 && (
        <div className={classes.scroll}>
          <table>
            <thead>
              <tr>
                <th scope="col">Ticket</th>
                <th scope="col">Rules</th>
                <th scope="col">Would change</th>
              </tr>
            </thead>
            <tbody>
              {tickets.map((ticket) => (
                <tr key={ticket.id}>
                  <th scope="row">
                    <Link to={ticketAddress(ticket)} target="_blank">
                      {ticket.title} #{ticket.id}
                    </Link>
                  </th>
                  <td>{ticket.rules.map((position) => position + 1).join(', ')}</td>
                  <td>
                    <Change ticket={ticket} people={people} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}

interface ChangeProps extends Pick<Props, 'people'> {
  ticket: TriedTicket
}

function Change({ ticket, people }: ChangeProps) {
  const { category, priority, assignee_id, skipped_assignee_id, tag_ids, kept_category, spam_reason } = ticket
  const { ticket_categories, ticket_tags } = useLists('ticket_categories', 'ticket_tags')
  const nameIn = (list: readonly { id: number; name: string }[], id: number) =>
    list.find((one) => one.id === id)?.name ?? `#${id}`
  const changes = [
    ...(category === null ? [] : [`Category: ${nameIn(ticket_categories, category)}`]),
    ...(priority === null ? [] : [`Priority: ${priorityName(priority)}`]),
    ...(assignee_id === null ? [] : [`Assignee: ${nameIn(people, assignee_id)}`]),
    ...tag_ids.map((id) => `Tag: ${nameIn(ticket_tags, id)}`),
    ...(spam_reason === null ? [] : [`Spam (${spam_reason})`]),
  ]
  return (
    <>
      {changes.join(', ')}
      {kept_category !== null && (
        <Soft as="p">
          Keeps the category {nameIn(ticket_categories, kept_category)}, which someone chose.
        </Soft>
      )}
      {skipped_assignee_id !== null && (
        <Soft as="p">
          Not assigned to {nameIn(people, skipped_assignee_id)}, who is away, opened it, or can’t open it.
        </Soft>
      )}
      {changes.length === 0 && kept_category === null && skipped_assignee_id === null && (
        <Soft as="span">Nothing</Soft>
      )}
    </>
  )
}
