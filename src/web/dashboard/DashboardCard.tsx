import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { dayText } from '#shared/dates.ts'
import classes from '#web/dashboard/cards.module.css'
import { RowAction } from '#web/list/cells.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { today } from '#web/time.ts'

/*
 * Building blocks of dashboard cards. Each feature has its own cards, which are listed in
 * app/browser/DashboardPage.tsx. A card renders nothing if there is nothing to show, or nothing that the
 * viewer can see.
 */

/** Maximum number of items that a card shows. */
export const firstOfCard = 6

interface Props {
  id: string
  title: string
  total?: number | undefined
  /** Page that shows all items. */
  to?: string | undefined
  children: ReactNode
}

export const DashboardCard = ({ id, title, total, to, children }: Props) => (
  <section className={classes.card} aria-labelledby={id}>
    <h2 id={id} className={classes.cardTitle}>
      {to ? (
        <Link to={to} className={classes.titleLink}>
          {title}
        </Link>
      ) : (
        title
      )}
      {total !== undefined && <span className={classes.total}>{total.toLocaleString('en-US')}</span>}
    </h2>
    {children}
  </section>
)

export const CardList = ({ children }: { children: ReactNode }) => (
  <ul className={classes.list}>{children}</ul>
)
export const NothingHere = ({ children }: { children: ReactNode }) => (
  <p className={classes.none}>{children}</p>
)

interface ItemProps {
  name: string
  detail?: string
  /** A day or a timestamp, shown at the end of the line. */
  at?: ReactNode
  /** Page that the line links to. */
  to?: string | undefined
  /** Search parameters that open the item on the current page instead. */
  opens?: Record<string, unknown>
  /** Buttons next to the line. */
  children?: ReactNode
}

/** A line in a card. */
export function CardItem({ name, detail, at, to, opens, children }: ItemProps) {
  const parts = (
    <>
      <span className={classes.itemName}>{name}</span>
      {detail !== undefined && <span className={classes.itemDetail}>{detail}</span>}
      {at && <span className={classes.itemDay}>{at}</span>}
    </>
  )
  const looks = `${classes.item} ${detail === undefined ? classes.brief : classes.long}`
  return (
    <li className={children ? classes.reminder : undefined}>
      {to !== undefined ? (
        <PageLink to={to} className={looks}>
          {parts}
        </PageLink>
      ) : opens ? (
        <Link to="." search={(now: Record<string, unknown>) => ({ ...now, ...opens })} className={looks}>
          {parts}
        </Link>
      ) : (
        <span className={looks}>{parts}</span>
      )}
      {children}
    </li>
  )
}

/** Button for marking a line's item as done. */
export const DoneButton = ({
  name,
  disabled,
  onDone,
}: {
  name: string
  disabled?: boolean
  onDone: () => void
}) => (
  <RowAction disabled={disabled} aria-label={`Done: ${name}`} onClick={onDone}>
    Done
  </RowAction>
)

/** A due date, such as `19 Nov 2026, overdue`. */
export const DueDay = ({ day }: { day: string }) => (
  <time dateTime={day}>{day < today() ? `${dayText(day)}, overdue` : dayText(day)}</time>
)
