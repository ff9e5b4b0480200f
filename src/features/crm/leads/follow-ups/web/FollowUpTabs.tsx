import { Button, Kbd } from '@mantine/core'
import { followUpTabs, type FollowUpTab } from '#features/crm/leads/follow-ups/rules.ts'
import type { Whose } from '#features/crm/leads/follow-ups/web/queueView.ts'
import classes from '#features/crm/leads/follow-ups/web/FollowUps.module.css'
import { leadKeys } from '#features/crm/leads/record/web/leadKeys.ts'
import { EmptyState, PastTheEnd } from '#web/list/states.tsx'
import { Soft } from '#web/parts/Soft.tsx'

type Owner = Whose['assigned_filter']

const names = { overdue: 'Overdue', today: 'Today', next: 'Next 7 days' } as const satisfies Record<
  FollowUpTab,
  string
>

export function FollowUpTabs({
  tab,
  counts,
  onChoose,
}: {
  tab: FollowUpTab
  counts: Record<FollowUpTab, number> | undefined
  onChoose: (tab: FollowUpTab) => void
}) {
  return (
    <div role="group" aria-label="Due" className={classes.tabs}>
      {followUpTabs.map((one, index) => (
        <Button
          key={one}
          size="xs"
          variant={tab === one ? 'light' : 'default'}
          aria-pressed={tab === one}
          title={`${names[one]} (${index + 1})`}
          onClick={() => onChoose(one)}
        >
          {names[one]} <span className={classes.count}>{counts?.[one].toLocaleString() ?? ''}</span>
        </Button>
      ))}
    </div>
  )
}

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

const nothing = {
  overdue: 'No overdue follow-ups',
  today: 'No follow-ups due today',
  next: 'No follow-ups due in the next 7 days',
} as const satisfies Record<FollowUpTab, string>

export function NoFollowUps({
  tab,
  whose,
  pastTheEnd,
  onChange,
}: {
  tab: FollowUpTab
  whose: Owner
  pastTheEnd: boolean
  onChange: (change: { page: number } | { assigned_filter: Owner; tab: FollowUpTab }) => void
}) {
  if (pastTheEnd) return <PastTheEnd onFirstPage={() => onChange({ page: 1 })} />
  if (whose !== 'mine')
    return <EmptyState title={nothing[tab]}>Leads appear here when their follow-up is due.</EmptyState>
  return (
    <EmptyState
      title={nothing[tab]}
      action={
        <Button variant="default" onClick={() => onChange({ assigned_filter: 'all', tab })}>
          Show everyone’s follow-ups
        </Button>
      }
    >
      Only leads assigned to you are shown.
    </EmptyState>
  )
}

const written = [
  ['note', 'note'],
  ['email', 'email'],
  ['call', 'log call'],
  ['session', 'session'],
] as const

/** List of the keyboard shortcuts. Always visible, because users look them up only once. */
export function QueueKeys({ write, maySnooze }: { write: object; maySnooze: boolean }) {
  const keys = [
    [['j', 'k'], 'next, previous'],
    [['Enter'], 'open'],
    ...written.filter(([kind]) => kind in write).map(([kind, does]) => [[leadKeys[kind]], does] as const),
    ...(maySnooze
      ? ([
          [[leadKeys.tomorrow], 'tomorrow'],
          [[leadKeys.week], 'in a week'],
          [[leadKeys.date], 'date'],
          [[leadKeys.undo], 'undo'],
        ] as const)
      : []),
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
