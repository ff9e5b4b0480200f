import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import classes from '#web/dashboard/cards.module.css'
import { PageLink } from '#web/parts/PageLink.tsx'

/*
 * Building blocks of dashboard cards. Each feature has its own cards, which are listed in
 * app/browser/DashboardPage.tsx. A card renders nothing if there is nothing to show, or nothing that the
 * viewer can see.
 */

interface Props {
  /** ID of the title, which is the card's accessible name. */
  id: string
  title: string
  /** More about the content, such as `by week created`. */
  about?: string | undefined
  /** Number of items, after the title, or other content at the end of its line. */
  total?: ReactNode
  /** Page that shows all items. */
  to?: string | undefined
  /** Search parameters of that page. */
  search?: Record<string, unknown>
  /** Button at the end of the title's line. */
  action?: ReactNode
  children: ReactNode
}

export const DashboardCard = ({ id, title, about, total, to, search = {}, action, children }: Props) => (
  <section className={classes.card} aria-labelledby={id}>
    <div className={classes.head}>
      <h2 id={id} className={classes.cardTitle}>
        {to ? (
          <Link to={to} search={search} className={classes.titleLink}>
            {title}
          </Link>
        ) : (
          title
        )}
        {typeof total === 'number' && <span className={classes.count}>{total.toLocaleString('en-US')}</span>}
        {about !== undefined && <span className={classes.about}>{about}</span>}
        {total !== undefined && typeof total !== 'number' && <span className={classes.total}>{total}</span>}
      </h2>
      {action}
    </div>
    {children}
  </section>
)

/** Cards next to each other; on a narrow screen, one below the other. */
export const CardRow = ({ columns, children }: { columns: 2 | 3; children: ReactNode }) => (
  <div className={columns === 2 ? classes.two : classes.three}>{children}</div>
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
  /** Whether `at` is never longer than a day, such as `22 Nov 2026`. */
  shortDay?: boolean
  /** Page that the line links to. */
  to?: string | undefined
}

/** A line in a card. */
export function CardItem({ name, detail, at, shortDay, to }: ItemProps) {
  const parts = (
    <>
      <span className={classes.itemName}>{name}</span>
      {detail !== undefined && <span className={classes.itemDetail}>{detail}</span>}
      {at && <span className={classes.itemDay}>{at}</span>}
    </>
  )
  const columns = detail === undefined ? classes.brief : shortDay ? '' : classes.long
  const looks = `${classes.item} ${columns}`
  return (
    <li>
      {to === undefined ? (
        <span className={looks}>{parts}</span>
      ) : (
        <PageLink to={to} className={looks}>
          {parts}
        </PageLink>
      )}
    </li>
  )
}

interface SeeAllProps {
  /** The card's title. */
  title: string
  to: string
  search: object
}

/** Link to all items of a card that shows only the first ones. */
export const SeeAllLink = ({ title, to, search }: SeeAllProps) => (
  <Link to={to} search={search} className={classes.seeAll} aria-label={`See all: ${title}`}>
    See all
  </Link>
)
