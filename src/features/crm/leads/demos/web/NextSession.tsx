import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import { demoStatuses, demoTones, minutesText, type DemoStatus } from '#shared/appointments.contract.ts'
import { months } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import type { Lead } from '#features/crm/leads/contract.ts'
import { demos, type Demo } from '#features/crm/leads/demos/contract.ts'
import { isOver, nextSessionOf } from '#features/crm/leads/demos.rules.ts'
import classes from '#features/crm/leads/demos/web/Demos.module.css'
import type { SessionLead } from '#features/crm/leads/demos/web/sessionForm.tsx'
import { DualTime } from '#web/DualTime.tsx'
import { useSessionStatus } from '#features/crm/leads/demos/web/SessionMenu.tsx'
import { useMay } from '#web/api/useSend.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { linkIn } from '#web/stream/linkPatterns.ts'
import { browserTimeZone } from '#web/time.ts'
import { useMinute } from '#web/useMinute.ts'

const HandOverForm = lazyPart(() => import('#features/crm/leads/demos/web/HandOverForm.tsx'))
const DemoForm = lazyPart(() => import('#features/crm/leads/demos/web/DemoForm.tsx'))

interface Props {
  lead: SessionLead & Pick<Lead, 'contactName'>
  sessions: readonly Demo[]
  types: readonly string[]
}

/** The next session that has a time, or the last one if its outcome is missing, with its buttons. */
export function NextSession({ lead, sessions, types }: Props) {
  const [moved, setMoved] = useState<Demo>()
  const [handedOver, setHandedOver] = useState<Demo>()
  const now = useMinute()
  const next = nextSessionOf(sessions, now)
  return (
    <>
      {next && (
        <section
          className={classes.next}
          aria-label={isOver(next, now) ? 'Session without an outcome' : 'Next session'}
        >
          <DayLeaf at={next.final_date} />
          <div className={classes.nextWords}>
            <p>
              <b>{lead.contactName ? `${next.type} with ${lead.contactName}` : next.type}</b>
              <Tone tone={demoTones[next.status as DemoStatus]}>
                {demoStatuses[next.status as DemoStatus]}
              </Tone>
            </p>
            <Soft as="div" small>
              <DualTime at={next.final_date} zone={lead.timezone} />
              {[
                ` · ${minutesText(next.minutes)}`,
                next.led_by && `with ${next.led_by}`,
                // A link has a button.
                linkIn(next.place) !== next.place && next.place,
              ]
                .filter(Boolean)
                .join(' · ')}
            </Soft>
          </div>
          <NextActs
            lead={lead}
            demo={next}
            now={now}
            onReschedule={() => setMoved(next)}
            onHandOver={() => setHandedOver(next)}
          />
        </section>
      )}
      {moved && (
        <Suspense>
          <DemoForm lead={lead} demo={moved} types={types} onClose={() => setMoved(undefined)} />
        </Suspense>
      )}
      {handedOver && (
        <Suspense>
          <HandOverForm lead={lead} demo={handedOver} onClose={() => setHandedOver(undefined)} />
        </Suspense>
      )}
    </>
  )
}

interface ActProps {
  lead: SessionLead
  demo: Demo & { final_date: string }
  now: number
  onReschedule: () => void
  onHandOver: () => void
}

function NextActs({ lead, demo, now, onReschedule, onHandOver }: ActProps) {
  const mayEdit = useMay(demos.save)
  const setStatus = useSessionStatus(lead, demo)
  const link = linkIn(demo.place)
  const hasBegun = Date.parse(demo.final_date) <= now
  return (
    <div className={classes.nextActs}>
      {link !== undefined && !isOver(demo, now) && (
        <Button
          size="xs"
          variant="default"
          component="a"
          href={link}
          target="_blank"
          rel="noopener noreferrer"
        >
          Join
        </Button>
      )}
      {mayEdit && hasBegun && (
        <Button size="xs" variant="default" onClick={() => setStatus(3)}>
          Mark as completed
        </Button>
      )}
      {mayEdit && (
        <Button size="xs" variant="default" onClick={onReschedule}>
          Reschedule
        </Button>
      )}
      {mayEdit && !isOver(demo, now) && (
        <Button size="xs" variant="default" onClick={onHandOver}>
          Hand over
        </Button>
      )}
    </div>
  )
}

/** Month and day, as on a sheet of a calendar; the time beside it has them too. */
function DayLeaf({ at }: { at: string }) {
  const [, month, day] = wallTime(at, browserTimeZone()).day.split('-').map(Number)
  return (
    <span className={classes.leaf} aria-hidden>
      {months[month! - 1]!.slice(0, 3)}
      <b>{day}</b>
    </span>
  )
}
