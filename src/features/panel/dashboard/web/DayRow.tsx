import { Suspense, useState, type ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import type { PlainDate } from '#shared/dates.ts'
import classes from '#features/panel/dashboard/web/myDay.module.css'
import type { ShownItem } from '#features/panel/dashboard/web/useDay.ts'
import { whenText } from '#web/dashboard/dayGroups.ts'
import { Moment } from '#web/Moment.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'

interface Props {
  item: ShownItem
  /** Position in the whole list. */
  row: number
  isOverdue: boolean
  today: PlainDate
}

/** A line of My day, with its buttons and its time. */
export function DayRow({ item, row, isOverdue, today }: Props) {
  const { icon: Icon, title, detail, when, actions } = item
  return (
    <li data-row={row} tabIndex={-1} className={classes.row}>
      <Opener item={item}>
        <Icon size={16} stroke={1.6} aria-hidden />
        <span className={classes.title}>{title}</span>
        <span className={classes.detail}>{detail}</span>
      </Opener>
      {actions && <span className={classes.acts}>{actions}</span>}
      <span className={classes.when} data-overdue={isOverdue}>
        {'since' in when ? (
          <Moment at={when.since} />
        ) : (
          <time dateTime={('at' in when ? when.at : when.day) ?? undefined}>{whenText(when, today)}</time>
        )}
      </span>
    </li>
  )
}

/** The text of a line, which opens the item in the way that it says. */
function Opener({ item: { to, opens, dialog }, children }: { item: ShownItem; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const props = { className: classes.opener, 'data-open': true }
  if (to !== undefined)
    return (
      <PageLink to={to} {...props}>
        {children}
      </PageLink>
    )
  if (opens)
    return (
      <Link to="." search={(now: Record<string, unknown>) => ({ ...now, ...opens })} {...props}>
        {children}
      </Link>
    )
  if (!dialog) return <span className={classes.opener}>{children}</span>
  return (
    <>
      <button type="button" {...props} onClick={() => setOpen(true)}>
        {children}
      </button>
      {isOpen && <Suspense>{dialog(() => setOpen(false))}</Suspense>}
    </>
  )
}
