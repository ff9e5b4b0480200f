import type { ComponentType } from 'react'
import { dayText, weekday } from '#shared/dates.ts'
import { AuditCard } from '#features/panel/dashboard/web/AuditCard.tsx'
import classes from '#features/panel/dashboard/web/dashboard.module.css'
import { DashboardChoices } from '#features/panel/dashboard/web/DashboardChoices.tsx'
import { Shortcuts, type Shortcut } from '#features/panel/dashboard/web/Shortcuts.tsx'
import { CardRow } from '#web/dashboard/DashboardCard.tsx'
import { useViewer } from '#web/session.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { TileRow } from '#web/tile/Tile.tsx'
import { useToday } from '#web/time.ts'

/** A dashboard card that takes the full width, or two columns of cards. */
export type DashboardRow =
  | ComponentType
  | { wide: readonly ComponentType[]; narrow: readonly ComponentType[] }

interface Props {
  /** Numbers above the cards; each is rendered only for users who can see it. */
  tiles: readonly ComponentType[]
  rows: readonly DashboardRow[]
  /** Pages that have no menu entry. */
  otherPages: readonly Shortcut[]
}

/** Start page: numbers, cards, shortcuts to all other pages, and, for administrators, the latest changes. */
export function Dashboard({ tiles, rows, otherPages }: Props) {
  const viewer = useViewer()
  const today = useToday()
  return (
    <>
      <PageHeader>
        {viewer && (
          <span className={classes.greeting}>
            {greeting()}, {viewer.firstName} · {weekday(today)}, {dayText(today)}
          </span>
        )}
        <DashboardChoices />
      </PageHeader>
      <TileRow>
        {tiles.map((One, index) => (
          <One key={index} />
        ))}
      </TileRow>
      {rows.map((row, index) => (
        <Row key={index} row={row} />
      ))}
      <CardRow columns={2}>
        <Shortcuts otherPages={otherPages} />
        <AuditCard />
      </CardRow>
    </>
  )
}

function Row({ row: Card }: { row: DashboardRow }) {
  if (typeof Card === 'function') return <Card />
  return (
    <div className={classes.columns}>
      {[Card.wide, Card.narrow].map((cards, column) => (
        <div key={column} className={classes.column}>
          {cards.map((One, index) => (
            <One key={index} />
          ))}
        </div>
      ))}
    </div>
  )
}

function greeting(): string {
  const hour = new Date().getHours()
  return hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening'
}
