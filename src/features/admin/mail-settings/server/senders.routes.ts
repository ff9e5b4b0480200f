import { mailSettings, type SenderRow } from '#features/admin/mail-settings/contract.ts'
import type { Db } from '#server/db/db.ts'
import { conflict } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { findMailRules, isAllowedDomain } from '#server/mail/rules.ts'
import { defaultColor, defaultSignature } from '#server/mail/senders.ts'
import { addressIn } from '#server/mail/transport.ts'

/** Returns the sender of all other emails, and those of these products. */
async function findSenders(db: Db, products: readonly number[]): Promise<SenderRow[]> {
  const rows = await db
    .selectFrom('senders')
    .select(['product_id', 'name', 'address', 'color', 'signature', 'footer', 'version'])
    .execute()
  const named = await db
    .selectFrom('products')
    .select(['id', 'name'])
    .where('id', 'in', [...products, 0])
    .orderBy('id')
    .execute()
  const blank = { name: '', address: '', color: defaultColor, signature: '', footer: '', version: 0 }
  return [{ id: null, name: null }, ...named].map(({ id, name: product }) => ({
    ...blank,
    ...(id === null ? { signature: defaultSignature } : {}),
    ...rows.find(({ product_id }) => product_id === id),
    product_id: id,
    product,
  }))
}

const listSenders =
  (app: App): Handler<typeof mailSettings.senders> =>
  async (_input, { db, viewer }) => {
    const rules = await findMailRules(db)
    const own = await db
      .selectFrom('own_addresses as o')
      .innerJoin('staff as s', 's.id', 'o.staff_id')
      .select(['o.staff_id', 's.name', 'o.address', 'o.confirmed_at'])
      .where('s.deleted_at', 'is', null)
      .orderBy('s.name')
      .execute()
    return {
      data: await findSenders(db, viewer.products),
      rules,
      default_address: addressIn(app.settings),
      own: own.map((one) => ({ ...one, allowed: isAllowedDomain(one.address, rules.own_domains) })),
    }
  }

const changeSender: Handler<typeof mailSettings.changeSender> = async (
  { body: { version, ...values } },
  { db, viewer, clock, audit, changed },
) => {
  const { product_id } = values
  // A sender that was never changed has no row to lock.
  await db.selectFrom('products').select('id').orderBy('id').forUpdate().execute()
  const find = async () =>
    (await findSenders(db, product_id === null ? [] : [product_id])).find(
      (one) => one.product_id === product_id,
    )!
  const before = await find()
  if (before.version !== version) throw conflict('Someone else changed this sender. Reload the page.', before)
  const row = {
    ...values,
    version: version + 1,
    updated_by: viewer.id,
    updated_at: clock.now().toISOString(),
  }
  await db
    .insertInto('senders')
    .values(row)
    .onConflict((on) => on.column('product_id').doUpdateSet(row))
    .execute()
  const data = await find()
  audit({ target: 'sender', id: product_id ?? 0, before, after: data })
  changed('settings', [1])
  return { message: 'Sender saved. New emails use it.', data }
}

const changeRules: Handler<typeof mailSettings.changeRules> = async (
  { body },
  { db, viewer, clock, audit, changed },
) => {
  await db.selectFrom('products').select('id').orderBy('id').forUpdate().execute()
  const before = await findMailRules(db)
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
  const data = { ...before, ...given }
  const row = { value: JSON.stringify(data), updated_by: viewer.id, updated_at: clock.now().toISOString() }
  await db
    .insertInto('panel_settings')
    .values({ name: 'mail', ...row })
    .onConflict((on) => on.column('name').doUpdateSet(row))
    .execute()
  audit({ target: 'settings', id: 1, before, after: data })
  changed('settings', [1])
  return { message: 'Settings saved.', data }
}

export function senderRoutes(app: App): void {
  implement(app, mailSettings.senders, listSenders(app))
  implement(app, mailSettings.changeSender, changeSender)
  implement(app, mailSettings.changeRules, changeRules)
}
