import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { type DemoStatus, demoStatuses, demoTones, minutesText } from '#shared/appointments.contract.ts'
import { dayText } from '#shared/dates.ts'
import { demos, type Demo } from '#features/crm/leads/demos/contract.ts'
import classes from '#features/crm/leads/demos/web/Demos.module.css'
import { DualTime } from '#web/DualTime.tsx'
import { SessionMenu } from '#features/crm/leads/demos/web/SessionMenu.tsx'
import type { SessionLead } from '#features/crm/leads/demos/web/sessionForm.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { Loaded } from '#web/list/states.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { IconButton } from '#web/parts/controls.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { LinkedText } from '#web/stream/LinkedText.tsx'
import { RailSection } from '#web/sheet/RailSection.tsx'

const HandOverForm = lazyPart(() => import('#features/crm/leads/demos/web/HandOverForm.tsx'))
const DemoForm = lazyPart(() => import('#features/crm/leads/demos/web/DemoForm.tsx'))

/**
 * Section with a lead's demos and sessions (requested, scheduled, completed), each with the possible next
 * steps.
 */
export function DemosPanel({ lead }: { lead: SessionLead }) {
  const query = useQuery(queryOptionsFor(demos.ofLead, { query: { lead_id: lead.lead_id } }))
  const mayEdit = useMay(demos.save)
  const [editing, setEditing] = useState<Demo | 'new'>()
  const [handedOver, setHandedOver] = useState<Demo>()
  return (
    <RailSection
      title="Sessions"
      {...(query.data && { count: query.data.data.length })}
      action={
        mayEdit && (
          <IconButton label="New session" bare onClick={() => setEditing('new')}>
            <IconPlus size={16} stroke={1.5} aria-hidden />
          </IconButton>
        )
      }
    >
      <Loaded query={query}>
        {({ data, types }) => (
          <>
            {data.length === 0 && <Soft>No sessions yet.</Soft>}
            <ol className={classes.demos}>
              {data.map((demo) => (
                <DemoItem
                  key={demo.id}
                  lead={lead}
                  demo={demo}
                  onEdit={() => setEditing(demo)}
                  onHandOver={() => setHandedOver(demo)}
                />
              ))}
            </ol>
            {handedOver && (
              <Suspense>
                <HandOverForm lead={lead} demo={handedOver} onClose={() => setHandedOver(undefined)} />
              </Suspense>
            )}
            {editing && (
              <Suspense>
                <DemoForm
                  lead={lead}
                  demo={editing === 'new' ? undefined : editing}
                  types={types}
                  onClose={() => setEditing(undefined)}
                />
              </Suspense>
            )}
          </>
        )}
      </Loaded>
    </RailSection>
  )
}

/** A place names no records. */
const noRecord = () => undefined

interface DemoItemProps {
  lead: SessionLead
  demo: Demo
  onEdit: () => void
  onHandOver: () => void
}

function DemoItem({ lead, demo, onEdit, onHandOver }: DemoItemProps) {
  const mayEdit = useMay(demos.save)
  return (
    <li className={classes.demo}>
      <div className={classes.demoHead}>
        <strong>{demo.type}</strong>
        <Tone tone={demoTones[demo.status as DemoStatus]}>{demoStatuses[demo.status as DemoStatus]}</Tone>
        {mayEdit && <SessionMenu lead={lead} demo={demo} onEdit={onEdit} onHandOver={onHandOver} />}
      </div>
      {demo.final_date && (
        <>
          <Soft small>
            <DualTime at={demo.final_date} zone={lead.timezone} />
          </Soft>
          <Soft small>
            {[minutesText(demo.minutes), demo.led_by && `with ${demo.led_by}`].filter(Boolean).join(' ')}
          </Soft>
        </>
      )}
      {demo.requested_date && (
        <Soft small>
          Requested for <DualTime at={demo.requested_date} zone={lead.timezone} />
        </Soft>
      )}
      <dl className={classes.times}>
        {demo.place && (
          <Line name="Place">
            <LinkedText text={demo.place} addressOf={noRecord} />
          </Line>
        )}
        {demo.guests.length > 0 && <Line name="Guests">{demo.guests.join(', ')}</Line>}
        {demo.received_date && <Line name="Received">{dayText(demo.received_date)}</Line>}
      </dl>
      {demo.schedule_comment && <p className={classes.comment}>{demo.schedule_comment}</p>}
      {demo.final_comment && <p className={classes.comment}>{demo.final_comment}</p>}
    </li>
  )
}

function Line({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
