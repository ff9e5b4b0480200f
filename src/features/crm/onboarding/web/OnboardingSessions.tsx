import { Button } from '@mantine/core'
import type { Onboarding } from '#features/crm/onboarding/contract.ts'
import classes from '#features/crm/onboarding/web/onboarding.module.css'
import type { OpenDialog } from '#features/crm/onboarding/web/OnboardingDialogs.tsx'
import { DualTime } from '#features/crm/onboarding/web/DualTime.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { Panel } from '#web/parts/Panel.tsx'
import { Head } from '#web/parts/Head.tsx'
import { Soft } from '#web/parts/Soft.tsx'

/** The demos and training sessions of an onboarding. */
export function OnboardingSessions({
  onboarding: { sessions, timezone },
  onOpen,
}: {
  onboarding: Onboarding
  onOpen: (dialog: OpenDialog) => void
}) {
  return (
    <Panel dense aria-label="Sessions">
      <Head>
        <h2>Sessions</h2>
        <Button size="compact-xs" variant="default" onClick={() => onOpen({ what: 'session' })}>
          New session
        </Button>
      </Head>
      {sessions.length === 0 && <Soft small>No sessions yet.</Soft>}
      <ul className={classes.plain}>
        {sessions.map((session) => (
          <li key={session.id} className={classes.entry}>
            <span>{session.type}</span>
            {(session.final_date ?? session.requested_date) && (
              <DualTime at={(session.final_date ?? session.requested_date)!} zone={timezone} />
            )}
            <Tone tone={session.is_completed ? 'green' : session.final_date ? 'blue' : 'yellow'}>
              {session.is_completed ? 'Completed' : session.final_date ? 'Scheduled' : 'Requested'}
            </Tone>
            <Button
              size="compact-xs"
              variant="subtle"
              aria-label={`Edit ${session.type} session`}
              onClick={() => onOpen({ what: 'session', id: session.id })}
            >
              Edit
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
