import { Button, Kbd } from '@mantine/core'
import type { FollowUpReply } from '#features/crm/leads/follow-ups/contract.ts'
import { followUpTabs, type FollowUpTab } from '#features/crm/leads/follow-ups/rules.ts'
import classes from '#features/crm/leads/page/web/queue/queue.module.css'
import type { Whose } from '#features/crm/leads/page/web/queue/queueList.ts'
import { leadKeys } from '#features/crm/leads/record/web/leadKeys.ts'
import { EmptyState } from '#web/list/states.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { FilterTab, FilterTabs } from '#web/parts/Tabs.tsx'
import { countText } from '#web/time.ts'

type Owner = Whose['assigned_filter']

const names = { overdue: 'Overdue', today: 'Today', next: 'Next 7 days' } as const satisfies Record<
  FollowUpTab,
  string
>

export const QueueTabs = ({
  tab,
  counts,
  onChoose,
}: {
  tab: FollowUpTab
  counts: Record<FollowUpTab, number> | undefined
  onChoose: (tab: FollowUpTab) => void
}) => (
  <FilterTabs label="Due">
    {followUpTabs.map((one) => (
      <FilterTab
        key={one}
        isCurrent={tab === one}
        count={counts ? countText(counts[one]) : ''}
        onClick={() => onChoose(one)}
      >
        {names[one]}
      </FilterTab>
    ))}
  </FilterTabs>
)

interface ToggleProps {
  whose: Whose
  /** The name of the only assignee. */
  only: string | undefined
  onChoose: (whose: Owner) => void
}

/** Toggle between the viewer's own follow-ups and those of all users, after the only assignee of a link's queue. */
export function OwnerToggle({ whose, only, onChoose }: ToggleProps) {
  return (
    <>
      {only !== undefined && <Soft as="span">Only {only}</Soft>}
      <Button.Group aria-label="Assignee">
        {(['mine', 'all'] as const).map((one) => {
          const isShown = only === undefined && whose.assigned_filter === one
          return (
            <Button
              key={one}
              size="xs"
              variant={isShown ? 'light' : 'default'}
              aria-pressed={isShown}
              title="m"
              onClick={() => onChoose(one)}
            >
              {one === 'mine' ? 'Mine' : 'Everyone’s'}
            </Button>
          )
        })}
      </Button.Group>
    </>
  )
}

/** How many of the viewer's own leads that were due today are done; nothing if none were. */
export function DoneToday({ done, tabs }: Pick<FollowUpReply, 'done' | 'tabs'>) {
  const total = done + tabs.overdue + tabs.today
  return (
    total > 0 && (
      <div className={classes.done}>
        <Soft as="span" small>{`${countText(done)} of ${countText(total)} done today`}</Soft>
        <progress aria-label="Done today" value={done} max={total} />
      </div>
    )
  )
}

const nothing = {
  overdue: 'No overdue follow-ups',
  today: 'No follow-ups due today',
  next: 'No follow-ups due in the next 7 days',
} as const satisfies Record<FollowUpTab, string>

interface EmptyProps {
  tab: FollowUpTab
  whose: Owner
  counts: Record<FollowUpTab, number> | undefined
  onChange: (change: { assigned_filter: Owner; tab: FollowUpTab }) => void
}

/** What an empty tab says: the tab that has follow-ups next, or those of the others. */
export function NoFollowUps({ tab, whose, counts, onChange }: EmptyProps) {
  const next = followUpTabs.find((one) => one !== tab && (counts?.[one] ?? 0) > 0)
  const show = next && (
    <Button variant="default" onClick={() => onChange({ assigned_filter: whose, tab: next })}>
      {`Show ${names[next].toLowerCase()} (${countText(counts![next])})`}
    </Button>
  )
  const everyone = whose === 'mine' && (
    <Button variant="default" onClick={() => onChange({ assigned_filter: 'all', tab })}>
      Show everyone’s follow-ups
    </Button>
  )
  return (
    <EmptyState
      title={nothing[tab]}
      action={
        (show || everyone) && (
          <>
            {show}
            {everyone}
          </>
        )
      }
    >
      {whose === 'mine'
        ? 'Only leads assigned to you are shown.'
        : 'Leads appear here when their follow-up is due.'}
    </EmptyState>
  )
}

const written = [
  ['note', 'note'],
  ['email', 'email'],
  ['call', 'call'],
  ['session', 'session'],
] as const

interface KeysProps {
  tabs: readonly string[]
  maySnooze: boolean
  mayReject: boolean
}

/** List of the keyboard shortcuts. Always visible, because users look them up only once. */
export function QueueKeys({ tabs, maySnooze, mayReject }: KeysProps) {
  const keys = [
    [['j', 'k'], 'next, previous'],
    [['Enter'], 'open'],
    ...written
      .filter(([kind]) => tabs.includes(kind))
      .map(([kind, does]) => [[leadKeys[kind]], does] as const),
    ...(maySnooze
      ? ([
          [[leadKeys.tomorrow], 'tomorrow'],
          [[leadKeys.week], 'in a week'],
          [[leadKeys.date], 'date'],
          [[leadKeys.undo], 'undo'],
        ] as const)
      : []),
    ...(mayReject ? [[[leadKeys.reject], 'reject'] as const] : []),
    [['1', '2', '3'], 'tabs'],
    [['m'], 'mine or everyone’s'],
  ] as const
  return (
    <p className={classes.keys}>
      {keys.map(([pressed, does]) => (
        <span key={does}>
          {pressed.map((key) => (
            <Kbd key={key} size="xs">
              {key}
            </Kbd>
          ))}{' '}
          {does}
        </span>
      ))}
    </p>
  )
}
