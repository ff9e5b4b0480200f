import { plainDate } from '#shared/dates.ts'
import { dashboard } from '#features/panel/dashboard/contract.ts'
import { findLastAudit } from '#features/panel/dashboard/server/dashboard.queries.ts'
import { findNumbers } from '#features/panel/dashboard/server/numbers.queries.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { findNames } from '#server/record/names.ts'

export function dashboardRoutes(app: App): void {
  implement(app, dashboard.lastChanges, async (_input, { db, viewer }) => {
    const kinds = app.records.all()
    const entries = await findLastAudit(db, { viewer, kinds, mail: app.mail.access })
    const references = entries.map(({ target_type, target_id }) => ({ type: target_type, id: target_id }))
    const nameOf = await findNames(db, kinds, references, viewer)
    const audit = entries.map(({ target_type: type, target_id: id, ...entry }) => {
      const name = nameOf(type, id)
      return {
        ...entry,
        target: name ?? (type === null || id === null ? null : `${type} ${id}`),
        record: name === undefined ? null : { type: type!, id: id! },
      }
    })
    return { audit }
  })

  implement(app, dashboard.numbers, ({ query }, { db, viewer, clock }) => {
    const serverDay = plainDate(clock.now())
    const { product_id, period, today = serverDay } = query
    return findNumbers(db, { product_id, period, today, serverDay }, viewer)
  })

  implement(app, dashboard.arrangement, async ({ query }, { db, viewer }) => {
    const row = await db
      .selectFrom('dashboard_cards')
      .select(['hidden', 'card_order as order'])
      .where('staff_id', '=', viewer.id)
      .where('dashboard', '=', query.dashboard)
      .executeTakeFirst()
    return { data: row ?? { hidden: [], order: [] } }
  })

  implement(app, dashboard.arrange, async ({ body }, { db, viewer, changed }) => {
    const { dashboard: name, hidden, order } = body
    const values = { hidden, card_order: order }
    await db
      .insertInto('dashboard_cards')
      .values({ staff_id: viewer.id, dashboard: name, ...values })
      .onConflict((on) => on.columns(['staff_id', 'dashboard']).doUpdateSet(values))
      .execute()
    changed('arrangement', [])
    return { message: 'Dashboard saved.' }
  })
}
