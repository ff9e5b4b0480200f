import type { ReactNode } from 'react'
import { dayText } from '#shared/dates.ts'
import type { CustomerSheet } from '#features/crm/customer-view/contract.ts'
import { statusInWords } from '#features/crm/customer-view/rules.ts'
import classes from '#features/crm/customer-view/web/customer-view.module.css'
import { LocalTime } from '#web/LocalTime.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { RecordLink } from '#web/record/RecordLink.tsx'

/** Local time, trial, onboarding, and account owner, as far as the viewer can see them. */
export function CustomerFacts({ sheet: { organization, onboardings } }: { sheet: CustomerSheet }) {
  const running = onboardings?.find(({ status }) => status !== 3) ?? onboardings?.[0]
  if (!organization && !running) return null
  return (
    <dl className={classes.facts}>
      {organization && <OrganizationFacts organization={organization} />}
      {running && (
        <Fact
          name="Onboarding"
          more={running.next_expected_date && `Next expected ${dayText(running.next_expected_date)}`}
        >
          <RecordLink type="onboarding" id={running.id} name={running.company}>
            {running.stage}
          </RecordLink>
        </Fact>
      )}
    </dl>
  )
}

function OrganizationFacts({ organization }: { organization: NonNullable<CustomerSheet['organization']> }) {
  const { timezone, state, country, assigned_name } = organization
  const { name, tone, trial, trialEnd } = statusInWords(organization)
  return (
    <>
      <Fact name="Local time" more={[state, country].filter(Boolean).join(', ')}>
        <LocalTime zone={timezone} />
      </Fact>
      <Fact name="Organization" more={trialEnd}>
        <Tone tone={tone}>{name}</Tone>
        {trial}
      </Fact>
      <Fact name="Account owner">{assigned_name ?? 'Unassigned'}</Fact>
    </>
  )
}

const Fact = ({ name, more, children }: { name: string; more?: ReactNode; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      {children}
      {more && <Soft small>{more}</Soft>}
    </dd>
  </div>
)
