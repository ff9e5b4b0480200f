import { Button } from '@mantine/core'
import { demoStatuses, demoTones, minutesText, type DemoStatus } from '#shared/appointments.contract.ts'
import type { Onboarding } from '#features/crm/onboarding/contract.ts'
import classes from '#features/crm/onboarding/web/onboarding.module.css'
import type { OpenDialog } from '#features/crm/onboarding/web/OnboardingDialogs.tsx'
import { DualTime } from '#web/DualTime.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { Panel } from '#web/parts/Panel.tsx'
import { Head } from '#web/parts/Head.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { LinkedText } from '#web/stream/LinkedText.tsx'

interface Props {
  onboarding: Onboarding
  onOpen: (dialog: OpenDialog) => void
}

/** The demos and training sessions of an onboarding. */
export function OnboardingSessions({ onboarding: { sessions, timezone }, onOpen }: Props) {
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
            <Tone tone={demoTones[session.status as DemoStatus]}>
              {demoStatuses[session.status as DemoStatus]}
            </Tone>
            <Button
              size="compact-xs"
              variant="subtle"
              aria-label={`Edit ${session.type} session`}
              onClick={() => onOpen({ what: 'session', id: session.id })}
            >
              Edit
            </Button>
            <Details session={session} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** A place names no records. */
const noRecord = () => undefined

/** Length and hosts of a session that has a time, its place, and its guests. */
function Details({ session }: { session: Onboarding['sessions'][number] }) {
  const { final_date, minutes, led_by, place, guests } = session
  const words = [
    ...(final_date ? [[minutesText(minutes), led_by && `with ${led_by}`].filter(Boolean).join(' ')] : []),
    ...(guests.length > 0 ? [`Guests: ${guests.join(', ')}`] : []),
  ].join(' · ')
  if (words === '' && place === '') return null
  return (
    <div className={classes.details}>
      {words && <Soft small>{words}</Soft>}
      {place && <LinkedText text={place} addressOf={noRecord} />}
    </div>
  )
}
