import type { Viewer } from '#shared/endpoint.ts'
import type { PanelSettings } from '#features/admin/settings/contract.ts'
import type { WidgetSetting } from '#features/admin/settings/widgets.contract.ts'
import type { Db } from '#server/db/db.ts'
import type { App } from '#server/app.ts'

/** Returns a setting or, if it was never set, the default from the environment or the code. */
export async function findSetting<Value>(
  db: Db,
  name: keyof Omit<PanelSettings, 'products'>,
  otherwise: Value,
): Promise<Value> {
  const row = await db
    .selectFrom('panel_settings')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst()
  return row ? (row.value as Value) : otherwise
}

/** Default number of days before the end of a trial when the assignee gets a reminder. */
export const defaultReminderDays = [7, 1, 0] as const

/** Whether a reply to an unassigned ticket assigns it to its author. */
export const findReplyAssigns = (db: Db) => findSetting(db, 'reply_assigns', true)

/** Whether a customer’s new ticket is confirmed by an email with its number. */
export const findConfirmsTickets = (db: Db) => findSetting(db, 'confirms_tickets', false)

/** Whether a reply that resolves a ticket asks the customer how satisfied they are. */
export const findAsksRating = (db: Db) => findSetting(db, 'asks_rating', false)

export const findCopyright = (db: Db) => findSetting(db, 'copyright', '')

/** Returns the URL where a product's customers set their credentials; empty if none is set. */
export async function findCredentialsUrl(db: Db, product_id: number): Promise<string> {
  const row = await db
    .selectFrom('products')
    .select('credentials_url')
    .where('id', '=', product_id)
    .executeTakeFirst()
  return row?.credentials_url ?? ''
}

export const findWorkingHours = (db: Db) => findSetting(db, 'working_hours', { start: '09:00', end: '17:00' })

export async function getSettings(db: Db, trialDays: number): Promise<PanelSettings> {
  return {
    products: await db
      .selectFrom('products')
      .select(['id', 'slug', 'name', 'status', 'credentials_url', 'posts_url'])
      .orderBy('id')
      .execute(),
    trial_days: await findSetting(db, 'trial_days', trialDays),
    reminder_days: await findSetting(db, 'reminder_days', [...defaultReminderDays]),
    working_hours: await findWorkingHours(db),
    reply_assigns: await findReplyAssigns(db),
    confirms_tickets: await findConfirmsTickets(db),
    asks_rating: await findAsksRating(db),
    copyright: await findCopyright(db),
  }
}

export async function findWidgets(db: Db, { products }: Viewer): Promise<WidgetSetting[]> {
  return db
    .selectFrom('products')
    .select(['id as product_id', 'name', 'widget_url as url', 'widget_on as on'])
    .where('id', 'in', [...products, 0])
    .orderBy('id')
    .execute()
}

/** Allows pages to frame the widgets that are turned on. */
export async function updateFrameOrigins({ db, addresses }: Pick<App, 'db' | 'addresses'>): Promise<void> {
  const rows = await db
    .selectFrom('products')
    .select('widget_url')
    .where('widget_on', '=', true)
    .orderBy('id')
    .execute()
  addresses.frames = [...new Set(rows.map(({ widget_url }) => new URL(widget_url).origin))]
}
