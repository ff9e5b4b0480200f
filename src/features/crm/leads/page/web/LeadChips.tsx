import { useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '@mantine/core'
import IconCalendarDue from '@tabler/icons-react/dist/esm/icons/IconCalendarDue.mjs'
import type { Lead } from '#features/crm/leads/contract.ts'
import { snoozes } from '#features/crm/leads/follow-ups/rules.ts'
import type { useSnooze } from '#features/crm/leads/follow-ups/web/useSnooze.ts'
import classes from '#features/crm/leads/page/web/lead.module.css'
import { AssignCell } from '#features/crm/leads/record/web/AssignCell.tsx'
import { ColorCell } from '#features/crm/leads/record/web/ColorCell.tsx'
import { FollowupCell, openFollowup } from '#features/crm/leads/record/web/FollowupCell.tsx'
import { leadKeys } from '#features/crm/leads/record/web/leadKeys.ts'
import { StatusCell } from '#features/crm/leads/record/web/StatusCell.tsx'
import { StuckMark } from '#features/crm/leads/record/web/StuckMark.tsx'
import { Initials } from '#web/Avatar.tsx'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { today } from '#web/time.ts'

/** How the follow-up moves without a question. */
interface Moving extends Pick<ReturnType<typeof useSnooze>, 'snooze' | 'maySnooze'> {
  /** Returns whether the menu of the date opens immediately. */
  opensDate?: () => boolean
}

/** What changes daily about a lead, as chips. */
export function LeadChips({ lead, followup }: { lead: Lead; followup: Moving }) {
  return (
    <>
      <span>
        <StatusCell lead={lead} />
        <StuckMark lead={lead} />
      </span>
      <ColorCell lead={lead} />
      <AssignCell
        lead={lead}
        shown={
          lead.assigned_name === null ? undefined : (
            <>
              <Initials name={lead.assigned_name} size={20} />
              {lead.assigned_name}
            </>
          )
        }
      />
      <Followup lead={lead} {...followup} />
    </>
  )
}

const choices = [
  ['tomorrow', 'Tomorrow', leadKeys.tomorrow],
  ['week', 'In a week', leadKeys.week],
] as const

/** The follow-up date, with the days to which it moves without a question. */
function Followup({ lead, snooze, maySnooze, opensDate }: Moving & { lead: Lead }) {
  const chip = useRef<HTMLSpanElement>(null)
  const moveTo = (when: keyof typeof snoozes) => void snooze(lead, snoozes[when](today()))
  const openIfAsked = useEffectEvent(() => {
    if (opensDate?.()) openFollowup(chip.current)
  })
  useEffect(() => openIfAsked(), [])
  usePageKeys({
    [leadKeys.date]: () => openFollowup(chip.current),
    ...(maySnooze && Object.fromEntries(choices.map(([when, , key]) => [key, () => moveTo(when)]))),
  })
  return (
    <span className={classes.followup}>
      <IconCalendarDue size={14} stroke={1.5} aria-hidden />
      <Soft as="span">Follow-up</Soft>
      <span ref={chip} className={classes.date}>
        <FollowupCell lead={lead} />
      </span>
      {maySnooze && (
        <span className={classes.days}>
          {choices.map(([when, words, key]) => (
            <Button
              key={when}
              size="compact-xs"
              variant="default"
              aria-label={`${words}: ${lead.companyName}`}
              title={`Follow up ${words.toLowerCase()} (${key})`}
              onClick={() => moveTo(when)}
            >
              {words}
            </Button>
          ))}
        </span>
      )}
    </span>
  )
}
