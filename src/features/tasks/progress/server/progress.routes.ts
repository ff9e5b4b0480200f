import { plainDate } from '#shared/dates.ts'
import { progress, type ProgressFilters } from '#features/tasks/progress/contract.ts'
import { reportDays, whyNotReport } from '#features/tasks/progress/rules.ts'
import { allLines, findGaps, findProgress, findTeams, totalHours } from '#features/tasks/progress/server/progress.queries.ts'
import type { Db } from '#server/db/db.ts'
import { html, mailPage } from '#server/html.ts'
import { conflict, invalid } from '#server/http/errors.ts'
import { implement, type App } from '#server/http/implement.ts'
import { replyCsv } from '#server/record/list.ts'

export function progressRoutes(app: App): void {
  /** @throws HttpError 422 for days that are no range, a team or a person that is none. */
  async function daysOf(db: Db, filters: ProgressFilters, now: Date) {
    const days = reportDays(filters, plainDate(now))
    const why = whyNotReport(days)
    if (why) throw invalid('endDate', why)
    if (filters.team_id !== undefined && !(await db.selectFrom('teams').select('id').where('id', '=', filters.team_id).executeTakeFirst()))
      throw invalid('team_id', 'There is no such team.')
    if (filters.user_id !== undefined && !(await db.selectFrom('staff').select('id').where('id', '=', filters.user_id).executeTakeFirst()))
      throw invalid('user_id', 'There is no such person.')
    return days
  }

  implement(app, progress.list, async ({ query }, { db, viewer, clock }) => {
    const days = await daysOf(db, query, clock.now())
    return { ...(await findProgress(db, query, days, viewer)), ...days }
  })

  implement(app, progress.export, async ({ query }, { db, viewer, clock, reply }) => {
    const days = await daysOf(db, query, clock.now())
    const head = [
      ['Progress report', `${days.from} to ${days.to}`, `Time zone ${query.zone}`],
      ['Total hours', await totalHours(db, query, days, viewer)],
      ...(query.search === '' ? [] : [['Search', query.search]]),
    ]
    const columns = {
      Day: (line: { day: string }) => line.day,
      Person: (line: { person: string }) => line.person,
      Task: (line: { task: string }) => line.task,
      Title: (line: { title: string }) => line.title,
      Hours: (line: { hours: number }) => line.hours,
      Product: (line: { product_id: number }) => line.product_id,
    }
    return replyCsv(app.pool, reply, `progress-${days.from}-${days.to}.csv`, allLines(db, query, days, viewer), columns, head)
  })

  implement(app, progress.gaps, async ({ query }, { db, viewer, clock }) =>
    findGaps(db, query, await daysOf(db, query, clock.now()), viewer, plainDate(clock.now())),
  )

  implement(app, progress.teams, async (_input, { db }) => ({ data: await findTeams(db) }))

  implement(app, progress.away, async ({ body: { staff_id, day, away } }, { db, viewer, record }) => {
    await demandPerson(db, staff_id)
    if (away)
      await db
        .insertInto('staff_away')
        .values({ staff_id, day, marked_by: viewer.id })
        .onConflict((on) => on.doNothing())
        .execute()
    else await db.deleteFrom('staff_away').where('staff_id', '=', staff_id).where('day', '=', day).execute()
    record({ target: 'staff', id: staff_id, after: { day, away } })
    return { message: away ? 'Marked as away.' : 'The mark is taken back.' }
  })

  implement(app, progress.remind, async ({ body: { staff_id, days } }, { db, viewer, clock, record }) => {
    const { email, first_name } = await demandPerson(db, staff_id)
    const made = await db
      .insertInto('progress_reminders')
      .values({ staff_id, day: plainDate(clock.now()), reminded_by: viewer.id })
      .onConflict((on) => on.doNothing())
      .returning('staff_id')
      .executeTakeFirst()
    if (!made) throw conflict(`${first_name} was reminded today already.`)
    const subject = 'Hours are missing in the progress report'
    const text = `Hello ${first_name},\n\n${viewer.name} asks you to report your hours of these days:\n${days.join('\n')}\n`
    await app.mail.queue(db, {
      kind: 'progress-reminder',
      to: [email],
      subject,
      text,
      html: mailPage(subject, [
        html`<p>Hello ${first_name},</p>`,
        html`<p>${viewer.name} asks you to report your hours of these days:</p>`,
        html`<p>${days.join(', ')}</p>`,
      ]),
      staff_id: viewer.id,
    })
    record({ target: 'staff', id: staff_id, after: { reminded_of: days } })
    return { message: `${first_name} is reminded by mail.` }
  })
}

async function demandPerson(db: Db, id: number): Promise<{ email: string; first_name: string }> {
  const person = await db.selectFrom('staff').select(['email', 'first_name']).where('id', '=', id).where('banned_at', 'is', null).executeTakeFirst()
  if (!person) throw invalid('staff_id', 'There is no such member of staff.')
  return person
}
