import { can } from '#shared/access.ts'
import { dayText } from '#shared/dates.ts'
import { onboardings, type Onboarding } from '#features/crm/onboarding/contract.ts'
import { onboardingFields } from '#features/crm/onboarding/fields.ts'
import { dayInStage } from '#features/crm/onboarding/rules.ts'
import { Progress } from '#features/crm/onboarding/web/OnboardingProgress.tsx'
import { StatusTone } from '#features/crm/onboarding/web/OnboardingsPage.tsx'
import { useSend } from '#web/api/useSend.ts'
import { useStaff } from '#web/filter/useOptions.ts'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Facts } from '#web/record/Facts.tsx'
import type { EditInPlace } from '#web/record/InPlace.tsx'
import { pageOf } from '#web/record/recordAddress.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { useViewer } from '#web/session.ts'
import { today } from '#web/time.ts'

/** An onboarding's facts; its assignee and the next expected date can be edited in place. */
export function OnboardingFacts({ onboarding }: { onboarding: Onboarding }) {
  const { org_id, organization, status } = onboarding
  const viewer = useViewer()
  const staff = useStaff(onboarding.lead_for)
  const edit = useEdit(onboarding)
  const day = dayInStage(onboarding.stage_since, today())
  const maySeeOrganization = can(viewer, 'all_organization_list')
  const maySeeLead = can(viewer, 'lead_detail')
  return (
    <Facts
      title="Onboarding"
      facts={[
        { name: 'Status', value: <StatusTone status={status} /> },
        { name: 'Progress', value: <Progress row={onboarding} /> },
        {
          name: 'Stage',
          value: `${onboarding.stage_name}, day ${day} (usually ${onboarding.usual_days})`,
        },
        {
          name: 'On hold',
          value:
            onboarding.hold_reason &&
            `${onboarding.hold_reason}${onboarding.resume_on ? `, until ${dayText(onboarding.resume_on)}` : ''}`,
        },
        {
          name: onboardingFields.next_expected_date.label,
          always: true,
          value: onboarding.next_expected_date && dayText(onboarding.next_expected_date),
          edit: edit('next_expected_date', onboarding.next_expected_date ?? '', 'day'),
        },
        {
          name: onboardingFields.assign_to.label,
          value: onboarding.assigned_name,
          edit: edit('assign_to', String(onboarding.assign_to ?? ''), 'choice', [
            ['', 'Unassigned'],
            ...staff.map((one) => [String(one.id), one.name] as const),
          ]),
        },
        {
          name: 'Organization',
          value: maySeeOrganization ? (
            <PageLink to={pageOf('organization', org_id, organization)}>{organization}</PageLink>
          ) : (
            organization
          ),
        },
        {
          name: 'Lead',
          value: maySeeLead ? (
            <PageLink to={pageOf('lead', onboarding.lead_id, onboarding.company)}>
              {onboarding.company}
            </PageLink>
          ) : (
            onboarding.company
          ),
        },
        {
          name: 'Contact',
          value: [onboarding.contact, onboarding.contact_email].filter(Boolean).join(', '),
        },
        { name: 'Time zone', value: onboarding.timezone },
      ]}
    />
  )
}

function useEdit({ id, version }: Onboarding) {
  const { announceAct } = useUndo()
  const { send: save } = useSend(onboardings.update, {
    failure: 'throw',
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  return (
    name: 'assign_to' | 'next_expected_date',
    value: string,
    kind: EditInPlace['kind'],
    options?: EditInPlace['options'],
  ): EditInPlace => ({
    kind,
    value,
    ...(options ? { options } : {}),
    save: (typed, newer = version) =>
      save({
        params: { id },
        body: {
          [name]: typed === '' ? null : name === 'assign_to' ? Number(typed) : typed,
          version: newer,
          base: { [name]: value === '' ? null : name === 'assign_to' ? Number(value) : value },
        },
      }),
  })
}
