import { sql } from 'kysely'
import { wallTime } from '#shared/zones.ts'
import {
  serviceTargets,
  type ServiceTarget,
  type ServiceTargets,
  type StoredTargets,
} from '#features/crm/support/targets.contract.ts'
import { demandCriteria } from '#features/crm/support/server/rules/criteria.ts'
import { startTargetReminders } from '#features/crm/support/server/targets/target-reminders.ts'
import { replaceSettings } from '#features/crm/support/server/versioned-settings.ts'
import { writePeriods } from '#features/crm/support/server/targets/working-periods.ts'
import type { Db } from '#server/db/db.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

const workday = { from: '09:00', to: '17:00' }
/** Shown before targets are set for the first time. */
const unset: StoredTargets = {
  version: 0,
  targets: [],
  pauses_while_waiting: true,
  reminder_percent: 75,
  zone: 'UTC',
  days: [workday, workday, workday, workday, workday, null, null],
  holidays: [],
}

async function findServiceTargets(db: Db): Promise<StoredTargets> {
  const settings = await db
    .selectFrom('service_settings')
    .select(['version', 'pauses_while_waiting', 'reminder_percent', 'zone', 'days', 'holidays'])
    .executeTakeFirst()
  if (!settings) return unset
  const targets = await db
    .selectFrom('service_targets')
    .select([
      'priority',
      'category',
      'organization_id',
      'first_response',
      'next_response',
      'resolution',
      'in_working_hours',
    ])
    .orderBy('position')
    .execute()
  return { ...settings, targets: targets as ServiceTarget[] } as StoredTargets
}

const showTargets: Handler<typeof serviceTargets.show> = async (_input, { db }) => ({
  data: await findServiceTargets(db),
})

const inDatabase = {
  table: 'service_targets',
  find: findServiceTargets,
  inHistory: (stored: StoredTargets) => stored,
} as const

const changeTargets: Handler<typeof serviceTargets.change> = ({ body: { version, ...body } }, context) =>
  replaceSettings(context, inDatabase, version, async (before, next) => {
    const { db, viewer, clock } = context
    await demandCriteria(db, { list: 'targets', entries: body.targets, before: before.targets, viewer })
    await writeTargets(db, body, next, clock.now())
  })

async function writeTargets(
  db: Db,
  { targets, ...settings }: ServiceTargets,
  next: { version: number },
  now: Date,
): Promise<void> {
  const values = {
    ...settings,
    ...next,
    days: JSON.stringify(settings.days),
    holidays: JSON.stringify([...new Set(settings.holidays)].toSorted()),
  }
  await db
    .insertInto('service_settings')
    .values({ id: 1, since: now.toISOString(), ...values })
    .onConflict((on) => on.column('id').doUpdateSet(values))
    .execute()
  await db.deleteFrom('service_targets').execute()
  if (targets.length)
    await db
      .insertInto('service_targets')
      .values(targets.map((target, position) => ({ position, ...target })))
      .execute()
  await writePeriods(db, settings, dayOf(now))
}

const dayOf = (now: Date) => wallTime(now, 'UTC').day
/** The working time is extended when less than this is left. */
const fewDaysLeft = 600

/** Extends the working time, so that targets far ahead can be computed. */
export async function extendPeriods({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`lock table service_targets in exclusive mode`.execute(trx)
    const settings = await findServiceTargets(trx)
    const enough = new Date(clock.now().getTime() + fewDaysLeft * 86_400_000).toISOString()
    const last = await trx
      .selectFrom('working_periods')
      .select('ends_at')
      .where('ends_at', '>', enough)
      .limit(1)
      .executeTakeFirst()
    if (settings.version > 0 && !last) await writePeriods(trx, settings, dayOf(clock.now()))
  })
}

const everyNight = '20 1 * * *'

export function serviceTargetRoutes(app: App): void {
  startTargetReminders(app)
  app.jobs.every('working-periods', everyNight, () => extendPeriods(app))
  implement(app, serviceTargets.show, showTargets)
  implement(app, serviceTargets.change, changeTargets)
}
