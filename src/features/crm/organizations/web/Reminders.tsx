import { useQuery } from '@tanstack/react-query'
import { dayText } from '#shared/dates.ts'
import { organizationReminders } from '#features/crm/organizations/reminders.contract.ts'
import { Panel } from '#web/parts/Panel.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import classes from '#features/crm/organizations/web/organizations.module.css'
import { RecordLink } from '#web/record/RecordLink.tsx'

/**
 * The viewer's trials that end soon and onboardings whose next step is due, shown until they are marked as
 * done.
 */
export function Reminders() {
  const { data } = useQuery(queryOptionsFor(organizationReminders.reminders))
  const { send, sending } = useSend(organizationReminders.remindersDone)
  const open = data?.data ?? []
  if (open.length === 0) return null
  return (
    <div className={classes.reminders}>
      <Panel dense aria-label="Due soon">
        <h2>Due soon</h2>
        <ul className={classes.plain}>
          {open.slice(0, 5).map(({ id, organization_id, onboarding_id, name, due_on }) => (
            <li key={id}>
              {onboarding_id === null ? 'Trial for ' : 'Onboarding for '}
              {onboarding_id === null ? (
                <RecordLink type="organization" id={organization_id} name={name} />
              ) : (
                <RecordLink type="onboarding" id={onboarding_id} name={name} />
              )}{' '}
              {onboarding_id === null ? 'ends' : 'is due'} on {dayText(due_on)}{' '}
              <LinkButton
                disabled={sending}
                onClick={() => void send({ params: { id }, body: { done: true } })}
              >
                Done
              </LinkButton>
            </li>
          ))}
          {open.length > 5 && <li>and {open.length - 5} more</li>}
        </ul>
      </Panel>
    </div>
  )
}
