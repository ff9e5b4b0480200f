import type { SupportReport } from '#features/crm/support/report.contract.ts'
import { ScoreTone } from '#features/crm/support/web/RatingLine.tsx'
import classes from '#features/crm/support/web/report/report.module.css'
import type { ReportLinks } from '#features/crm/support/web/report/reportLinks.ts'
import { DashboardCard, NothingHere } from '#web/dashboard/DashboardCard.tsx'
import { Moment } from '#web/Moment.tsx'
import { RecordLink } from '#web/record/RecordLink.tsx'
import { CsvButton } from '#web/report/csv.tsx'
import { Count, TableCard } from '#web/report/TableCard.tsx'

interface Props {
  report: SupportReport
  links: ReportLinks
}

const askedText = (count: number) => (count === 1 ? '1 reply asked' : `${count} replies asked`)

/** How satisfied customers were, with the newest comments; nothing if the panel neither asked, nor got a rating. */
export function RatingsCard({ report, links }: Props) {
  const { asked, good, bad, comments } = report.ratings
  if (asked + good + bad === 0) return null
  return (
    <DashboardCard
      id="satisfaction"
      title="Satisfaction"
      about={askedText(asked)}
      action={comments.length > 0 && <CsvButton table="satisfaction" title="Satisfaction" />}
    >
      <p className={classes.scores}>
        <span>
          Good: <Count count={good} to={links.event('rated_good', report)} label="Rated good" />
        </span>
        <span>
          Bad: <Count count={bad} to={links.event('rated_bad', report)} label="Rated bad" />
        </span>
      </p>
      {comments.length === 0 ? (
        <NothingHere>No comments in this period.</NothingHere>
      ) : (
        <ul className={classes.comments}>
          {comments.map(({ ticket_id, title, score, comment, rated_at }) => (
            <li key={ticket_id}>
              <ScoreTone score={score} />{' '}
              <RecordLink type="ticket" id={ticket_id} name={`#${ticket_id} ${title}`} />{' '}
              <Moment at={rated_at} />
              <p>“{comment}”</p>
            </li>
          ))}
        </ul>
      )}
    </DashboardCard>
  )
}

interface ByOrganizationProps {
  report: SupportReport
  linksOf: (organization: number) => ReportLinks
}

/** Ratings by organization; nothing if there are none. */
export function RatingsByOrganization({ report, linksOf }: ByOrganizationProps) {
  const { organizations } = report.ratings
  if (organizations.length === 0) return null
  return (
    <TableCard
      id="satisfaction-by-organization"
      title="Satisfaction by organization"
      about="those with the most ratings"
      table="satisfaction-by-organization"
      empty="No tickets in this period."
      heads={['Name', 'Good', 'Bad', 'Share good']}
      rows={organizations.map(({ id, name, good, bad }) => {
        const links = linksOf(id ?? 0)
        return {
          key: id ?? 'none',
          name,
          cells: [
            <Count key="good" count={good} to={links.event('rated_good', report)} label={`Good, ${name}`} />,
            <Count key="bad" count={bad} to={links.event('rated_bad', report)} label={`Bad, ${name}`} />,
            `${Math.round((good / (good + bad)) * 100)}%`,
          ],
        }
      })}
    />
  )
}
