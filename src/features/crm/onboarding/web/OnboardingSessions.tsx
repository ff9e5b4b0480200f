import { Button } from '@mantine/core'
import type { Onboarding } from '#features/crm/onboarding/contract.ts'
import classes from '#features/crm/onboarding/web/onboarding.module.css'
import type { OpenDialog } from '#features/crm/onboarding/web/OnboardingDialogs.tsx'
import { DualTime } from '#features/crm/onboarding/web/OnboardingTimes.tsx'
import { Tone } from '#web/parts/Tone.tsx'

/** The demos and training sessions of an onboarding. */
export function OnboardingSessions({
  onboarding: { sessions, timezone },
  onOpen,
}: {
  onboarding: Onboarding
  onOpen: (dialog: OpenDialog) => void
}) {
  return (
    <section className={classes.panel} aria-label="Sessions">
      <div className={classes.head}>
        <h2>Sessions</h2>
        <Button size="compact-xs" variant="default" onClick={() => onOpen({ what: 'session' })}>
          New session
        </Button>
      </div>
      {sessions.length === 0 && <p className={classes.soft}>No sessions yet.</p>}
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
    </section>
  )
}
