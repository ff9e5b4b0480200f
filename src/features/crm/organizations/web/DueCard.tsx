import { useQuery } from '@tanstack/react-query'
import { can } from '#shared/access.ts'
import { recordTypes } from '#shared/records.ts'
import { organizationReminders } from '#features/crm/organizations/reminders.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { followsWrites, useMay, useSend } from '#web/api/useSend.ts'
import {
  CardItem,
  CardList,
  DashboardCard,
  DoneButton,
  DueDay,
  firstOfCard,
} from '#web/dashboard/DashboardCard.tsx'
import { useChanged } from '#web/live.ts'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useViewer } from '#web/session.ts'

/**
 * Dashboard card that shows assignees their trials that end soon and their onboardings whose next step is
 * due.
 */
export function DueCard() {
  const viewer = useViewer()
  const may = useMay(organizationReminders.reminders)
  const query = useQuery({ ...queryOptionsFor(organizationReminders.reminders), meta: followsWrites })
  // Viewers who can see only onboardings receive no events about organizations.
  const mayHear = can(viewer, recordTypes.organization.read)
  useChanged('organization', may && mayHear ? [organizationReminders.reminders] : [])
  const { send, sending } = useSend(organizationReminders.remindersDone, {
    refresh: [organizationReminders.reminders],
  })
  const due = query.data?.data ?? []
  if (!may || due.length === 0) return null
  return (
    <DashboardCard id="due-organizations" title="Trials and onboardings due" total={due.length}>
      <CardList>
        {due.slice(0, firstOfCard).map(({ id, name, organization_id, onboarding_id, due_on }) => (
          <CardItem
            key={id}
            name={name}
            detail={onboarding_id === null ? 'Trial ends' : 'Onboarding'}
            at={<DueDay day={due_on} />}
            to={
              onboarding_id === null
                ? recordAddress('organization', organization_id, viewer, name)
                : recordAddress('onboarding', onboarding_id, viewer, name)
            }
          >
            <DoneButton
              name={name}
              disabled={sending}
              onDone={() => void send({ params: { id }, body: { done: true } })}
            />
          </CardItem>
        ))}
      </CardList>
    </DashboardCard>
  )
}
