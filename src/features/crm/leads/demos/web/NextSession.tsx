import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import { type DemoStatus, demoStatuses, demoTones, minutesText } from '#shared/appointments.contract.ts'
import { months } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import type { Lead } from '#features/crm/leads/contract.ts'
import { demos, type Demo } from '#features/crm/leads/demos/contract.ts'
import { isUpcoming } from '#features/crm/leads/demos.rules.ts'
import classes from '#features/crm/leads/demos/web/Demos.module.css'
import type { SessionLead } from '#features/crm/leads/demos/web/sessionForm.tsx'
import { DemoTime } from '#features/crm/leads/demos/web/DemoTimes.tsx'
import { useMay } from '#web/api/useSend.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { browserTimeZone } from '#web/time.ts'

const DemoForm = lazyPart(() => import('#features/crm/leads/demos/web/DemoForm.tsx'))

interface Props {
  lead: SessionLead & Pick<Lead, 'contactName'>
  sessions: readonly Demo[]
  types: readonly string[]
}

/** The next session that has a time, with the button that moves it. */
export function NextSession({ lead, sessions, types }: Props) {
  const [moved, setMoved] = useState<Demo>()
  const mayEdit = useMay(demos.save)
  const next = sessions
    .filter((one): one is Demo & { final_date: string } => one.final_date !== null && isComing(one))
    .toSorted((a, b) => a.final_date.localeCompare(b.final_date))[0]
  return (
    <>
      {next && (
        <section className={classes.next} aria-label="Next session">
          <DayLeaf at={next.final_date} />
          <div className={classes.nextWords}>
            <p>
              <b>{lead.contactName ? `${next.type} with ${lead.contactName}` : next.type}</b>
              <Tone tone={demoTones[next.status as DemoStatus]}>
                {demoStatuses[next.status as DemoStatus]}
              </Tone>
            </p>
            <Soft small>
              <DemoTime at={next.final_date} zone={lead.timezone} />
              {[` · ${minutesText(next.minutes)}`, next.led_by && `with ${next.led_by}`, next.place]
                .filter(Boolean)
                .join(' · ')}
            </Soft>
          </div>
          {mayEdit && (
            <Button size="xs" variant="default" onClick={() => setMoved(next)}>
              Reschedule
            </Button>
          )}
        </section>
      )}
      {moved && (
        <Suspense>
          <DemoForm lead={lead} demo={moved} types={types} onClose={() => setMoved(undefined)} />
        </Suspense>
      )}
    </>
  )
}

const isComing = ({ final_date, status, is_completed }: Demo) =>
  status === scheduled && isUpcoming({ at: final_date ?? '', is_completed })
const scheduled = 2

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
