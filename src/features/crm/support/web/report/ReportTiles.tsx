import type { SupportReport } from '#features/crm/support/report.contract.ts'
import type { ReportLinks } from '#features/crm/support/web/report/reportLinks.ts'
import { durationText, roundToMinutes } from '#web/report/durations.ts'
import { changeOf, Tile, TileGroup, TileGroups } from '#web/tile/Tile.tsx'

interface Props {
  report: SupportReport
  links: ReportLinks
}

/** The numbers of the period, with how they differ from those of another period. */
export function ReportTiles({ report, links }: Props) {
  const { received, answered, solved, reopened, open, first_response, resolution } = report
  const change = ({ count, before }: SupportReport['received'], better?: 'more' | 'less') =>
    before === null ? undefined : changeOf(count, before, undefined, better)
  const ofReceived = (count: number) =>
    received.count === 0 ? undefined : `${Math.round((count / received.count) * 100)}%`
  return (
    <TileGroups>
      <TileGroup>
        <Tile
          name="Received"
          value={received.count}
          change={change(received)}
          series={report.days.map((day) => day.received)}
          to={links.received(report)}
        />
        <Tile
          name="Answered"
          value={answered.count}
          detail={ofReceived(answered.count)}
          change={change(answered)}
          to={links.event('answered', report)}
        />
        <Tile
          name="Solved"
          value={solved.count}
          detail={ofReceived(solved.count)}
          change={change(solved, 'more')}
          to={links.event('solved', report)}
        />
        <Tile
          name="Reopened"
          value={reopened.count}
          change={change(reopened, 'less')}
          to={links.event('reopened', report)}
        />
        <Tile name="Open now" value={open} to={links.open()} />
      </TileGroup>
      <TileGroup>
        <DurationTile name="First response" duration={first_response} />
        <DurationTile name="Resolution" duration={resolution} />
        <SatisfactionTile ratings={report.ratings} />
      </TileGroup>
    </TileGroups>
  )
}

interface DurationProps {
  name: string
  duration: SupportReport['resolution']
}

const words = { more: 'slower', less: 'faster', amount: durationText }

/** A median, with the time within which nine of ten tickets were done. */
const DurationTile = ({ name, duration: { median, p90, before } }: DurationProps) => (
  <Tile
    name={name}
    value={median === null ? 'None' : durationText(median)}
    detail={p90 === null ? undefined : `90% within ${durationText(p90)}`}
    change={
      median === null || before === null
        ? undefined
        : changeOf(roundToMinutes(median), roundToMinutes(before), undefined, 'less', words)
    }
  />
)

const points = { more: 'higher', less: 'lower', amount: (by: number) => `${by} points` }

interface SatisfactionProps {
  ratings: SupportReport['ratings']
}

/** The share of good ratings; nothing if the panel neither asked for one, nor got one. */
function SatisfactionTile({ ratings: { asked, good, bad, before } }: SatisfactionProps) {
  const rated = good + bad
  if (rated === 0) return asked === 0 ? null : <Tile name="Satisfaction" value="None" />
  const percent = Math.round((good / rated) * 100)
  const change =
    before === null ? undefined : changeOf(percent, Math.round(before * 100), undefined, 'more', points)
  return (
    <Tile name="Satisfaction" value={`${percent}%`} detail={`${good} of ${rated} good`} change={change} />
  )
}
