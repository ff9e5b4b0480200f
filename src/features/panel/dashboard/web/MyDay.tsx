import { useRef, useState, type ReactNode } from 'react'
import type { PlainDate } from '#shared/dates.ts'
import { DayRow } from '#features/panel/dashboard/web/DayRow.tsx'
import classes from '#features/panel/dashboard/web/myDay.module.css'
import { useDay, type ShownItem } from '#features/panel/dashboard/web/useDay.ts'
import { DashboardCard } from '#web/dashboard/DashboardCard.tsx'
import { dayGroups, groupItems, type DayGroup } from '#web/dashboard/dayGroups.ts'
import type { DaySource } from '#web/dashboard/daySource.ts'
import { useRowKeys } from '#web/keys/useRowKeys.ts'
import { EmptyState, LoadingState } from '#web/list/states.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'

/** Number of items that a group shows at first. */
const firstOfGroup = 8

interface Props {
  sources: readonly DaySource[]
  /** Button at the end of the title's line. */
  action?: ReactNode
}

/** Dashboard card with everything that waits for the viewer, from all areas, in one list by time. */
export function MyDay({ sources, action }: Props) {
  const day = useDay(sources)
  if (!day) return null
  const { asking, items, total, all, failed, isLoading } = day
  return (
    <DashboardCard id="my-day" title="My day" total={isLoading ? undefined : total} action={action}>
      {failed.map(({ name, retry }) => (
        <p key={name} role="alert" className={classes.failed}>
          {name} couldn’t be loaded. <LinkButton onClick={retry}>Retry</LinkButton>
        </p>
      ))}
      {isLoading ? (
        <LoadingState rows={6} text="Loading your day…" />
      ) : items.length > 0 ? (
        <Groups items={items} today={asking.today} />
      ) : (
        failed.length === 0 && <NothingWaits names={day.sources.map(({ name }) => name)} />
      )}
      {all.length > 0 && (
        <p className={classes.more}>
          {all.map(({ text, to }) => (
            <PageLink key={text} to={to}>
              {text}
            </PageLink>
          ))}
        </p>
      )}
    </DashboardCard>
  )
}

function NothingWaits({ names }: { names: readonly string[] }) {
  const [first = '', ...others] = names
  const list = [first, ...others.map((name) => name.toLowerCase())]
  const words = new Intl.ListFormat('en').format(list)
  return <EmptyState title="Nothing waits for you">{`${words} appear here when they need you.`}</EmptyState>
}

/** The items by group. `j` and `k` move through them, Enter opens, `e` marks as done, and `s` snoozes. */
function Groups({ items, today }: { items: readonly ShownItem[]; today: PlainDate }) {
  const region = useRef<HTMLDivElement>(null)
  const [whole, setWhole] = useState<readonly DayGroup[]>([])
  const groups = groupItems(items, today)
  const shown = dayGroups.map((name) => ({
    name,
    all: groups[name].length,
    items: whole.includes(name) ? groups[name] : groups[name].slice(0, firstOfGroup),
  }))
  const rows = shown.flatMap((group) => group.items)
  const press = (what: string) => (item: ShownItem) =>
    region.current?.querySelector<HTMLElement>(`[data-row="${rows.indexOf(item)}"] ${what}`)?.click()
  useRowKeys(region, rows, {
    rowKey: (item) => rows.indexOf(item),
    onOpen: press('[data-open]'),
    selection: undefined,
    acts: { e: press('[data-act=done]'), s: press('[data-act=snooze]') },
  })
  return (
    <div ref={region}>
      {shown.map(
        (group) =>
          group.all > 0 && (
            <section key={group.name} aria-labelledby={`my-day-${group.name}`}>
              <h3
                id={`my-day-${group.name}`}
                className={classes.group}
                data-overdue={group.name === 'Overdue'}
              >
                {group.name}
              </h3>
              <ul className={classes.list}>
                {group.items.map((item) => (
                  <DayRow
                    key={item.key}
                    item={item}
                    row={rows.indexOf(item)}
                    isOverdue={group.name === 'Overdue'}
                    today={today}
                  />
                ))}
              </ul>
              {group.all > group.items.length && (
                <p className={classes.more}>
                  <LinkButton
                    aria-label={`Show ${group.all - group.items.length} more: ${group.name}`}
                    onClick={() => setWhole([...whole, group.name])}
                  >
                    Show {group.all - group.items.length} more
                  </LinkButton>
                </p>
              )}
            </section>
          ),
      )}
    </div>
  )
}
