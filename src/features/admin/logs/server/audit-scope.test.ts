import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'

/** Makes an entry of each type that is about something of a product, with a mark in its values. */
async function leaveEntries({ as, db }: TestApp, product: number, mark: string): Promise<void> {
  const who = as('super_admin')
  const done = async (reply: Promise<{ status: number; text: string }>) => {
    const { status, text } = await reply
    expect([status, text]).toEqual([200, text])
  }
  await done(who.send('PUT', `/admin/metatag/${product}`, { category_title: `${mark} tags` }))
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: `#0000${product}0` } })
    .png()
    .toBuffer()
  await done(
    who.post(`/admin/media/upload-media/${product}`, undefined, {
      form: { 'attachment[]': { name: `${mark}.png`, bytes, type: 'image/png' } },
    }),
  )
  const form = {
    lead_for: String(product),
    file: { name: `${mark}.csv`, bytes: 'Company name\nAalto', type: 'text/csv' },
  }
  await done(who.post('/admin/users/lead-imports', undefined, { form }))
  const organization = await enterOrganization(db, { name: `Hotel ${product}` }, [product])
  const user = await enterUser(db, organization, `Aino${product}`)
  await done(who.post('/admin/users/save-sender', { user_ids: [user], product_id: product }))
  await done(
    who.post('/admin/users/send-bulk-email', { subject: `${mark} news`, note: 'Hi', product_id: product }),
  )
  const sender = {
    name: `${mark} team`,
    address: '',
    color: '#0f766e',
    signature: '',
    footer: '',
    version: 0,
  }
  await done(who.post('/admin/mail-settings/senders', { ...sender, product_id: product }))
  const lead = await enterLead(db, { company_name: `${mark} Inn`, lead_for: product })
  await done(who.post('/admin/records/lead/trash', { ids: [lead] }))
}

test('an admin without a product reads nothing of it in the log, its export, and its entries', async () => {
  const started = await startTestApp()
  const { as, db } = started
  await leaveEntries(started, 2, 'Zqxforeign')
  await leaveEntries(started, 1, 'Zqxown')
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '<>', 1)
    .execute()
  const areasOf = async (reader: 'admin' | 'super_admin') => {
    const { data } = await as(reader).get('/admin/users/admin-log')
    return (data as { area: string; id: number }[]).map(({ area }) => area).toSorted()
  }
  const whole = await areasOf('super_admin')
  const own = await areasOf('admin')
  expect(new Set(own)).toEqual(new Set(whole))
  expect(own.length).toBe(whole.length / 2)
  for (const path of ['/admin/users/admin-log', '/admin/users/admin-log/export']) {
    const text = async (reader: 'admin' | 'super_admin') => (await as(reader).get(path)).text
    // Control: a reader with both products sees both.
    expect((await text('super_admin')).match(/Zqxforeign/g)?.length).toBeGreaterThan(4)
    expect((await text('admin')).match(/Zqxown/g)?.length).toBeGreaterThan(4)
    expect(await text('admin')).not.toContain('Zqxforeign')
  }
  const { data } = await as('super_admin').get('/admin/users/admin-log')
  const entries = (data as { id: number; changes: unknown }[]).filter((entry) =>
    JSON.stringify(entry).includes('Zqxforeign'),
  )
  for (const { id } of entries)
    expect([id, (await as('admin').get(`/admin/users/admin-log/${id}`)).status]).toEqual([id, 404])
})
