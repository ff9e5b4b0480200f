import { ApiError } from '#web/api/errors.ts'
import { AreasChart, BarsChart, GroupedBarsChart, type ChartData } from '#web/charts/charts.tsx'
import { CardRow } from '#web/dashboard/DashboardCard.tsx'
import { Part } from '#web/showcase/Part.testing.tsx'
import { toneColor } from '#web/theme.ts'
import { changeOf, Tile, TileGroup, TileOf, TileRow } from '#web/tile/Tile.tsx'

const query = { data: undefined, error: null, isLoading: false, refetch: () => {} }
const loading = { ...query, isLoading: true }
const failed = { ...query, error: new ApiError(500, { message: 'The server is not available right now.' }) }

export const Tiles = () => (
  <Part title="Tiles">
    <TileRow>
      <Tile
        name="New leads"
        value={64}
        change={changeOf(64, 52, 'last week', 'more')}
        series={[3, 5, 4, 6, 5, 7, 6, 8, 7, 11]}
        to="/demo-leads"
      />
      <Tile
        name="Won"
        value={9}
        detail="of 31 closed"
        change={changeOf(9, 11, 'last week', 'more')}
        series={[2, 1, 2, 2, 1, 0, 1, 0, 0, 1]}
        to="/demo-leads"
      />
      <Tile name="Tasks delivered" value={1482} change={changeOf(41, 41, 'last week')} />
      <Tile
        name="Active trials"
        value={12}
        detail="3 ending within 7 days"
        detailTo="/organizations"
        to="/organizations"
      />
    </TileRow>
    <h3>in a frame</h3>
    <TileGroup>
      <Tile name="Came in" value={91} change={changeOf(91, 87, undefined)} to="/demo-leads" />
      <Tile name="Answered" value={88} detail="97%" to="/demo-leads" />
      <Tile name="Reopened" value={9} change={changeOf(9, 7, undefined, 'less')} />
    </TileGroup>
    <h3>loading and failed</h3>
    <TileRow>
      <TileOf name="New leads" query={loading}>
        {() => ({ value: 0 })}
      </TileOf>
      <TileOf name="New leads" query={failed}>
        {() => ({ value: 0 })}
      </TileOf>
    </TileRow>
  </Part>
)

const weeks = ['7 Sep', '14 Sep', '21 Sep', '28 Sep', '5 Oct', '12 Oct', '19 Oct', '26 Oct', '2 Nov', '9 Nov']
const pointsOf = (values: (index: number) => number[]) =>
  weeks.map((name, index) => ({ name, fullName: `${name} 2026`, values: values(index) }))

const leads: ChartData = {
  unit: 'Week of',
  points: pointsOf((index) => [index, 1 + ((index * 3) % 4), 9 - index]),
  series: [
    { name: 'New', color: toneColor('blue'), to: '/demo-leads' },
    { name: 'Contacted, qualified', color: toneColor('teal'), to: '/demo-leads' },
    { name: 'Won', color: toneColor('green'), to: '/demo-leads' },
  ],
  addressOf: () => '/demo-leads',
}
const tickets: ChartData = {
  unit: 'Week of',
  points: pointsOf((index) => [14 + ((index * 5) % 9), 12 + ((index * 4) % 11)]),
  series: [
    { name: 'Opened', color: toneColor('blue') },
    { name: 'Answered', color: toneColor('green'), isDashed: true },
  ],
}
const none: ChartData = { ...leads, points: pointsOf(() => [0, 0, 0]) }
const empty = { title: 'No leads in these weeks', text: 'Leads will appear here in the week they come in.' }
const same = (data: ChartData) => data

export const Charts = () => (
  <Part title="Charts">
    <CardRow columns={2}>
      <BarsChart
        id="bars"
        title="Leads by status"
        about="by week created"
        query={{ ...query, data: leads }}
        chart={same}
        empty={empty}
      />
      <AreasChart
        id="areas"
        title="Tickets"
        about="opened and answered per week"
        query={{ ...query, data: tickets }}
        chart={same}
        empty={empty}
      />
      <GroupedBarsChart
        id="grouped"
        title="Tickets by day"
        query={{ ...query, data: tickets }}
        chart={same}
        empty={empty}
      />
      <BarsChart id="none" title="No leads" query={{ ...query, data: none }} chart={same} empty={empty} />
      <BarsChart id="lost" title="Failed chart" query={failed} chart={same} empty={empty} />
      <BarsChart id="slow" title="Loading chart" query={loading} chart={same} empty={empty} />
    </CardRow>
  </Part>
)
