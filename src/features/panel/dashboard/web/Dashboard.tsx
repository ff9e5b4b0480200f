import type { ComponentType } from 'react'
import { AuditCard } from '#features/panel/dashboard/web/AuditCard.tsx'
import classes from '#features/panel/dashboard/web/dashboard.module.css'
import { Shortcuts, type Shortcut } from '#features/panel/dashboard/web/Shortcuts.tsx'
import cards from '#web/dashboard/cards.module.css'
import { useViewer } from '#web/session.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'

/** Cards of the features: one takes the whole width, several stand in two columns. */
export type DashboardRow = ComponentType | readonly ComponentType[]

interface Props {
  rows: readonly DashboardRow[]
  /** Pages without an entry in the menu. */
  otherPages: readonly Shortcut[]
}

/** Where the day begins: what the features have for this person, ways to everything else, and for administrators what was changed last. */
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
      <div className={cards.two}>
        <Shortcuts otherPages={otherPages} />
        <AuditCard />
      </div>
    </>
  )
}

function Row({ row: Card }: { row: DashboardRow }) {
  if (typeof Card === 'function') return <Card />
  return (
    <div className={cards.two}>
      {Card.map((One, index) => (
        <One key={index} />
      ))}
    </div>
  )
}

function greeting(): string {
  const hour = new Date().getHours()
  return hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening'
}
