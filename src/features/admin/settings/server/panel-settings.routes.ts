import type { Viewer } from '#shared/endpoint.ts'
import { panelSettings, type PanelSettings } from '#features/admin/settings/contract.ts'
import { widgets } from '#features/admin/settings/widgets.contract.ts'
import {
  findWidgets,
  findWorkingHours,
  getSettings,
  updateFrameOrigins,
} from '#features/admin/settings/server/panel-settings.queries.ts'
import { demandOwnProducts } from '#features/admin/staff/server/staff-record.queries.ts'
import { countFailure } from '#server/jobs/failures.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

const widgetsChanged = 'settings.widgets'

const all = (app: App, db: App['db']): Promise<PanelSettings> => getSettings(db, app.settings.trialDays)

/** Leaves out products that the viewer has no access to, because their URLs must not be revealed. */
const seenBy = (viewer: Viewer, { products, ...rest }: PanelSettings): PanelSettings => ({
  ...rest,
  products: products.filter(({ id }) => viewer.products.includes(id)),
})

const showSettings: Handler<typeof panelSettings.show> = async (_input, { app, db, viewer }) => ({
  data: seenBy(viewer, await all(app, db)),
  warnings: app.settings.warnings,
})

const changeSettings: Handler<typeof panelSettings.change> = async (
  { body: { products = [], ...values } },
  { app, db, viewer, clock, audit, changed, afterCommit },
) => {
  demandOwnProducts(
    viewer,
    products.map(({ id }) => id),
  )
  const updated_at = clock.now().toISOString()
  // Changes are serialized, so that concurrent ones cannot remove the last product from the switcher.
  await db.selectFrom('products').select('id').orderBy('id').forUpdate().execute()
  const before = await all(app, db)
  for (const { id, ...change } of products) {
    const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    if (Object.keys(set).length) await db.updateTable('products').set(set).where('id', '=', id).execute()
  }
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue
    const row = {
      value: JSON.stringify(
        name === 'reminder_days' ? [...new Set(value as number[])].toSorted((a, b) => b - a) : value,
      ),
      updated_by: viewer.id,
      updated_at,
    }
    await db
      .insertInto('panel_settings')
      .values({ name, ...row })
      .onConflict((on) => on.column('name').doUpdateSet(row))
      .execute()
  }
  const data = await all(app, db)
  if (!data.products.some(({ status }) => status === 1))
    throw invalid('products', 'Keep at least one product in the switcher.')
  for (const product of data.products)
    audit({
      target: 'product',
      id: product.id,
      before: before.products.find(({ id }) => id === product.id)!,
      after: product,
    })
  audit({
    target: 'settings',
    id: 1,
    before: { ...before, products: undefined },
    after: { ...data, products: undefined },
  })
  changed('settings', [1])
  if (products.length) {
    const people = await db.selectFrom('staff').select('id').where('banned_at', 'is', null).execute()
    afterCommit(() => app.live.rightsChanged(people.map(({ id }) => id)))
  }
  return { message: 'Settings saved.', data: seenBy(viewer, data) }
}

const showOffered: Handler<typeof panelSettings.offered> = async (_input, { db, viewer }) => ({
  data: {
    working_hours: await findWorkingHours(db),
    widgets: (await findWidgets(db, viewer))
      .filter(({ on }) => on)
      .map(({ product_id, name, url }) => ({ product_id, name, url })),
  },
})

const listWidgets: Handler<typeof widgets.list> = async (_input, { db, viewer }) => ({
  data: await findWidgets(db, viewer),
})

const changeWidget: Handler<typeof widgets.change> = async (
  { body: { product_id, url, on } },
  { app, db, viewer, audit, changed, afterCommit },
) => {
  // If the panel framed its own pages, those pages could be navigated to any site.
  if (url !== '' && new URL(url).host === new URL(app.addresses.publicUrl).host)
    throw invalid('url', 'This URL points to the panel itself. Enter the widget’s URL.')
  if (url !== '' && (new URL(url).username || new URL(url).password))
    throw invalid('url', 'Remove the username and password from the URL.')
  const before = await db
    .selectFrom('products')
    .select(['widget_url', 'widget_on'])
    .where('id', '=', product_id)
    .forUpdate()
    .executeTakeFirst()
  if (!before) throw notFound('Product not found.')
  const after = { widget_url: url, widget_on: on }
  await db.updateTable('products').set(after).where('id', '=', product_id).execute()
  audit({ target: 'product', id: product_id, before, after })
  changed('settings', [1])
  afterCommit(() => app.live.notify(widgetsChanged))
  return { message: 'Scheduling widget saved.', data: await findWidgets(db, viewer) }
}

/** Registers the endpoints for the panel settings. Changes take effect immediately and survive a restart. */
export function panelSettingsRoutes(app: App): void {
  // The footer and the product switcher are updated in every tab; the event contains no data.
  // Every process serves pages, so each one must allow the widgets' origins to be framed.
  app.live.onNotice(
    widgetsChanged,
    () => void updateFrameOrigins(app).catch(countFailure(app.http.log, 'could not load the widget origins')),
  )
  implement(app, panelSettings.show, showSettings)
  implement(app, panelSettings.change, changeSettings)
  implement(app, panelSettings.offered, showOffered)
  implement(app, widgets.list, listWidgets)
  implement(app, widgets.change, changeWidget)
}
