import { sql } from 'kysely'
import { plainDate } from '#shared/dates.ts'
import type { App } from '#server/http/implement.ts'

const lookEveryMs = 60_000
const mostTitles = 20

/**
 * Reminds the people who have the panel open in this process of quick tasks that became due: each of a day once, in whichever process.
 * Whoever is not there is reminded when they come.
 */
export async function remindOfDue({ db, live, clock }: Pick<App, 'db' | 'live' | 'clock'>): Promise<void> {
  const people = live.peopleHere()
  if (!people.length) return
  const { rows } = await sql<{ person: number; title: string }>`update quick_tasks set reminded_of = due_date
    where status = 0 and deleted_at is null and due_date <= ${plainDate(clock.now())}::date and reminded_of is distinct from due_date
      and person = any(${people}::int[])
    returning person, title`.execute(db)
  for (const [person, due] of Map.groupBy(rows, (row) => row.person))
    live.publish(`private-staff.${person}`, 'quick-tasks-due', { titles: due.slice(0, mostTitles).map(({ title }) => title) })
}

/** Looks again and again while the process serves; what fails is done by the next look, and without people there is nothing to do. */
export function keepReminding(app: App): Promise<void> {
  setInterval(() => void remindOfDue(app).catch(() => {}), lookEveryMs).unref()
  return Promise.resolve()
}
