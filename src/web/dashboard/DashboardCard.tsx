import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import classes from '#web/dashboard/cards.module.css'
import cells from '#web/list/cells.module.css'
import { PageLink } from '#web/parts/PageLink.tsx'
import { dayText, today } from '#web/time.ts'

/*
 * What the cards of the dashboard are made of; each feature has its own, and the wiring lists them in app/browser/DashboardPage.tsx.
 * A card is nothing where there is nothing to show, or nothing that this person may see.
 */

/** So many are shown of what a card lists. */
export const firstOfCard = 6

interface Props {
  id: string
  title: string
  total?: number | undefined
  /** The page that shows all of it. */
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

export const CardList = ({ children }: { children: ReactNode }) => <ul className={classes.list}>{children}</ul>
export const NothingHere = ({ children }: { children: ReactNode }) => <p className={classes.none}>{children}</p>

interface ItemProps {
  name: string
  detail?: string
  /** A day or a moment, at the end of the line. */
  at?: ReactNode
  /** The page that the line leads to. */
  to?: string
  /** Or what it opens on this page, by what it puts into the address. */
  opens?: Record<string, unknown>
  /** What can be pressed beside it. */
  children?: ReactNode
}

/** One line of a card. */
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

/** Says that what a line of a card names is done. */
export const DoneButton = ({ name, disabled, onDone }: { name: string; disabled?: boolean; onDone: () => void }) => (
  <button type="button" className={`${cells.action} ${classes.done}`} disabled={disabled} aria-label={`Done: ${name}`} onClick={onDone}>
    Done
  </button>
)

/** A day by which something is due: `19 Nov 2026, overdue`. */
export const DueDay = ({ day }: { day: string }) => <time dateTime={day}>{day < today() ? `${dayText(day)}, overdue` : dayText(day)}</time>
