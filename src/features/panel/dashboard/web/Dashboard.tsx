import type { ComponentType } from 'react'
import { AuditCard } from '#features/panel/dashboard/web/AuditCard.tsx'
import classes from '#features/panel/dashboard/web/dashboard.module.css'
import { Shortcuts, type Shortcut } from '#features/panel/dashboard/web/Shortcuts.tsx'
import { CardRow } from '#web/dashboard/DashboardCard.tsx'
import { useViewer } from '#web/session.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'

/** A row of dashboard cards: a single card takes the full width, and several share two columns. */
export type DashboardRow = ComponentType | readonly ComponentType[]

interface Props {
  rows: readonly DashboardRow[]
  /** Pages that have no menu entry. */
  otherPages: readonly Shortcut[]
}

/** Start page: dashboard cards, shortcuts to all other pages, and, for administrators, the latest changes. */
export function Dashboard({ rows, otherPages }: Props) {
  const viewer = useViewer()
  return (
    <>
      <PageHeader>
        {viewer && (
          <span className={classes.greeting}>
            {greeting()}, {viewer.firstName}
          </span>
        )}
      </PageHeader>
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
    <CardRow columns={2}>
      {Card.map((One, index) => (
        <One key={index} />
      ))}
    </CardRow>
  )
}

function greeting(): string {
  const hour = new Date().getHours()
  return hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening'
}
