import { Suspense, useState } from 'react'
import IconLayoutGrid from '@tabler/icons-react/dist/esm/icons/IconLayoutGrid.mjs'
import { dayText, weekday } from '#shared/dates.ts'
import type { DashboardName } from '#features/panel/dashboard/contract.ts'
import { ordered, places, type DashboardPart, type Parts } from '#features/panel/dashboard/web/cards.ts'
import classes from '#features/panel/dashboard/web/dashboard.module.css'
import { DashboardChoices } from '#features/panel/dashboard/web/DashboardChoices.tsx'
import { useArrangement } from '#features/panel/dashboard/web/useArrangement.ts'
import { useDashboardAddress } from '#web/dashboard/dashboardAddress.ts'
import { CardRow } from '#web/dashboard/DashboardCard.tsx'
import { IconButton } from '#web/parts/controls.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { useViewer, type Person } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { TileRow } from '#web/tile/Tile.tsx'
import { useToday } from '#web/time.ts'

const ArrangeCards = lazyPart(() => import('#features/panel/dashboard/web/ArrangeCards.tsx'))

const titles = { all: undefined, crm: 'CRM dashboard', cms: 'CMS dashboard' }

/** Start page: numbers and cards of all areas or of one, in the viewer's arrangement. */
export function Dashboard({ parts: all }: { parts: Parts }) {
  const viewer = useViewer()
  const [{ view = 'all' }] = useDashboardAddress()
  const { hidden, order } = useArrangement(view)
  if (!viewer) return null
  const parts = visibleParts(all, viewer, view)
  const shownIn = (place: keyof Parts) =>
    ordered(parts[place], order).filter(({ id }) => !hidden.includes(id))
  return (
    <>
      <Header dashboard={view} viewer={viewer} parts={parts} />
      <TileRow>
        <Shown parts={shownIn('tiles')} />
      </TileRow>
      <div className={classes.columns}>
        <div className={classes.column}>
          <Shown parts={shownIn('wide')} />
        </div>
        <div className={classes.column}>
          <Shown parts={shownIn('narrow')} />
        </div>
      </div>
      <Shown parts={shownIn('full')} />
      <CardRow columns={2}>
        <Shown parts={shownIn('half')} />
      </CardRow>
    </>
  )
}

const Shown = ({ parts }: { parts: readonly DashboardPart[] }) =>
  parts.map(({ id, Part }) => <Part key={id} />)

const visibleParts = (all: Parts, viewer: Person, view: DashboardName): Parts =>
  Object.fromEntries(
    places.map((place) => [
      place,
      all[place].filter(
        ({ mayShow, alsoOn }) => mayShow?.(viewer) !== false && (view === 'all' || alsoOn?.includes(view)),
      ),
    ]),
  ) as Record<keyof Parts, DashboardPart[]>

interface HeaderProps {
  dashboard: DashboardName
  viewer: Person
  parts: Parts
}

function Header({ dashboard, viewer, parts }: HeaderProps) {
  const today = useToday()
  const [isArranging, setArranging] = useState(false)
  return (
    <PageHeader {...(titles[dashboard] && { title: titles[dashboard] })}>
      <span className={classes.greeting}>
        {greeting()}, {viewer.firstName} · {weekday(today)}, {dayText(today)}
      </span>
      <DashboardChoices />
      <IconButton label="Arrange cards" aria-haspopup="dialog" onClick={() => setArranging(true)}>
        <IconLayoutGrid size={16} aria-hidden />
      </IconButton>
      {isArranging && (
        <Suspense>
          <ArrangeCards dashboard={dashboard} parts={parts} onClose={() => setArranging(false)} />
        </Suspense>
      )}
    </PageHeader>
  )
}

function greeting(): string {
  const hour = new Date().getHours()
  return hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening'
}
