import { weekdays } from '#shared/dates.ts'
import type { SupportReport, SupportTable } from '#features/crm/support/report.contract.ts'
import { ageNames, clockKinds } from '#features/crm/support/rules.ts'
import type { CsvRows } from '#server/files/csv-tables.ts'

/** Returns the tables of the report as its page shows them, with times in seconds. */
export const tablesOf = (report: SupportReport): Record<SupportTable, CsvRows> => ({
  summary: summaryOf(report),
  days: [
    ['Date', 'Received', 'Answered', 'Solved', 'Reopened'],
    ...report.days.map(({ day, received, answered, solved, reopened }) => [
      day,
      received,
      answered,
      solved,
      reopened,
    ]),
  ],
  hours: [
    ['Weekday', 'Hour', 'Received'],
    ...report.hours.map(({ weekday, hour, received }) => [weekdays[weekday % 7], hour, received]),
  ],
  categories: [...groupsOf('Category', report.categories), allOf(report)],
  organizations: [...groupsOf('Organization', report.organizations), allOf(report)],
  people: peopleOf(report),
  targets: [
    ['Service target', 'Met', 'Missed', 'Share met'],
    ...report.targets.map(({ kind, met, missed }) => [clockKinds[kind], met, missed, shareOf(met, missed)]),
  ],
  ages: [
    ['Age', 'Created from', 'Created to', 'Open', 'Overdue'],
    ...report.ages.map(({ from, to, open, overdue }, index) => [ageNames[index], from, to, open, overdue]),
    ['All', null, null, report.open, report.ages.reduce((sum, { overdue }) => sum + overdue, 0)],
  ],
  satisfaction: [
    ['Ticket', 'Title', 'Rating', 'Comment', 'Rated at'],
    ...report.ratings.comments.map(({ ticket_id, title, score, comment, rated_at }) => [
      ticket_id,
      title,
      score === 'good' ? 'Good' : 'Bad',
      comment,
      rated_at,
    ]),
  ],
  'satisfaction-by-organization': [
    ['Organization', 'Good', 'Bad', 'Share good'],
    ...report.ratings.organizations.map(({ name, good, bad }) => [name, good, bad, shareOf(good, bad)]),
    ['All', report.ratings.good, report.ratings.bad, shareOf(report.ratings.good, report.ratings.bad)],
  ],
})

/** Returns a share with three decimals; null if there is nothing. */
const shareOf = (part: number, rest: number): number | null =>
  part + rest === 0 ? null : Math.round((part / (part + rest)) * 1000) / 1000

function summaryOf({
  received,
  answered,
  solved,
  reopened,
  open,
  first_response,
  resolution,
  replies,
  ratings: { asked, good, bad, before },
}: SupportReport): CsvRows {
  return [
    ['Number', 'Value', 'Compared with'],
    ['Received', received.count, received.before],
    ['Answered', answered.count, answered.before],
    ['Solved', solved.count, solved.before],
    ['Reopened', reopened.count, reopened.before],
    ['Open now', open, null],
    ['First response, median (seconds)', first_response.median, first_response.before],
    ['First response, 90% within (seconds)', first_response.p90, null],
    ['Resolution, median (seconds)', resolution.median, resolution.before],
    ['Resolution, 90% within (seconds)', resolution.p90, null],
    ['Replies', replies.count, null],
    ['Replies that asked for a rating', asked, null],
    ['Rated good', good, null],
    ['Rated bad', bad, null],
    ['Share good', shareOf(good, bad), before === null ? null : Math.round(before * 1000) / 1000],
  ]
}

const groupsOf = (name: string, groups: SupportReport['categories']): CsvRows => [
  [name, 'Received', 'Answered', 'Solved', 'Reopened', 'First response, median (seconds)'],
  ...groups.map((group) => [
    group.name,
    group.received,
    group.answered,
    group.solved,
    group.reopened,
    group.first_response,
  ]),
]

const allOf = ({ received, answered, solved, reopened, first_response }: SupportReport) => [
  'All',
  received.count,
  answered.count,
  solved.count,
  reopened.count,
  first_response.median,
]

const peopleOf = ({ people, answered, solved, replies, ratings, first_response }: SupportReport): CsvRows => [
  [
    'Person',
    'Answered',
    'Solved',
    'First response, median (seconds)',
    'Replies',
    'Tickets with a reply',
    'Rated good',
    'Rated bad',
    'Share good',
  ],
  ...people.map((one) => [
    one.name,
    one.answered,
    one.solved,
    one.first_response,
    one.replies.count,
    one.replies.tickets,
    one.good,
    one.bad,
    shareOf(one.good, one.bad),
  ]),
  [
    'All',
    answered.count,
    solved.count,
    first_response.median,
    replies.count,
    replies.tickets,
    ratings.good,
    ratings.bad,
    shareOf(ratings.good, ratings.bad),
  ],
]
