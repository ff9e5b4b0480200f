import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { defaultGrants, roleIds, type Permission } from '#shared/access.ts'
import { startMailServer, unfolded } from '#server/mail/mail.testing.ts'

const words = { subject: 'Your offer', content: '<p>Hello Zoë,</p><p>here is <b>our offer</b>.</p>' }

async function withLead(env: Record<string, string> = {}) {
  const started = await startTestApp({ env })
  const lead_id = await enterLead(started.db, {
    company_name: 'Tamsel Hotel',
    contact_name: 'Zoë Yıldız',
    email: 'zoe@tamsel.example',
  })
  return { ...started, lead_id, at: `/admin/mails/lead/${lead_id}` }
}

const heads = (raw: string) => raw.slice(0, raw.indexOf('\r\n\r\n'))
const release = ({ app, db }: TestApp, id: number) =>
  db.transaction().execute((tx) => app.mail.control.retry(tx, id))

test('an email reaches everyone in To and Cc once, says who gets it, and comes from its author', async () => {
  const server = await startMailServer()
  const started = await withLead({ SMTP_URL: server.url, MAIL_FROM: 'Linen <hello@linen.example>' })
  const { as, at } = started
  const paula = as('crm')
  const reply = await paula.post(at, {
    ...words,
    to: ['zoe@tamsel.example', 'Owner@tamsel.example'],
    cc: ['books@tamsel.example', 'zoe@tamsel.example'],
  })
  expect(reply).toMatchObject({ status: 200, message: 'Sending the email.' })
  expect(server.received).toHaveLength(0)
  await release(started, reply['data'].id)
  await expect.poll(() => server.received).toHaveLength(3)
  expect(server.received.flatMap(({ to }) => to).toSorted()).toEqual([
    'books@tamsel.example',
    'owner@tamsel.example',
    'zoe@tamsel.example',
  ])
  for (const { raw } of server.received) {
    expect(heads(raw)).toMatch(/^To: owner@tamsel\.example, zoe@tamsel\.example\r$/m)
    expect(heads(raw)).toMatch(/^Cc: books@tamsel\.example\r$/m)
    expect(heads(raw)).toMatch(/^From: .+ <hello@linen\.example>\r$/m)
    expect(heads(raw)).not.toMatch(/^From: Linen/m)
    expect(heads(raw)).not.toMatch(/^List-Unsubscribe/m)
    expect(unfolded(raw)).toContain('<strong>our offer</strong>')
  }
})

test('the preview is the email that is sent, with nothing added', async () => {
  const { as, at, db } = await withLead()
  const crm = as('crm')
  const preview = await crm.post(`${at}/preview`, words)
  const { data } = await crm.post(at, { ...words, to: ['zoe@tamsel.example'] })
  const sent = await db.selectFrom('mails').selectAll().where('id', '=', data.id).executeTakeFirstOrThrow()
  expect(preview['data']).toMatchObject({ subject: sent.subject, html: sent.html, reply_to: sent.reply_to })
  expect(sent).toMatchObject({
    unsubscribable: false,
    record_type: 'lead',
    text: 'Hello Zoë,\n\nhere is our offer.\n',
  })
})

test('an email can be canceled until it leaves, and scheduled for later', async () => {
  const server = await startMailServer()
  const { as, at } = await withLead({ SMTP_URL: server.url })
  const crm = as('crm')
  const tomorrow = new Date(Date.now() + 24 * 3600_000).toISOString()
  const { message, data } = await crm.post(at, { ...words, to: ['zoe@tamsel.example'], send_at: tomorrow })
  expect(message).toBe('Email scheduled.')
  const [one] = data.recipients
  expect(one.state).toBe('held')
  expect(Math.abs(Date.parse(one.next_try_at) - Date.parse(tomorrow))).toBeLessThan(60_000)
  expect((await crm.post(`/admin/mail/${data.id}/call-off`, {})).status).toBe(200)
  const list = await crm.get(at)
  expect(list['data'][0]).toMatchObject({ id: data.id, called_off: true })
  expect(server.received).toHaveLength(0)
})

test('files go along with the email, and stay with it', async () => {
  const server = await startMailServer()
  const started = await withLead({ SMTP_URL: server.url })
  const { as, at, db } = started
  const form = { file: { name: 'offer.txt', bytes: Buffer.from('Two pages') } }
  const staged = await as('crm').post('/files/stage', undefined, { form })
  const { data } = await as('crm').post(at, {
    ...words,
    to: ['zoe@tamsel.example'],
    file_ids: [staged['data'].id],
  })
  await release(started, data.id)
  await expect.poll(() => server.received).toHaveLength(1)
  expect(server.received[0]!.raw).toContain('filename=offer.txt')
  const links = await db.selectFrom('file_links').select(['record_type', 'record_id']).execute()
  expect(links).toEqual([{ record_type: 'mail', record_id: data.id }])
})

test('banned people are marked, and can’t be emailed', async () => {
  const { as, db } = await startTestApp()
  const organization_id = await enterOrganization(db, { name: 'Tamsel' })
  await enterUser(db, organization_id, 'Ada', { email: 'ada@tamsel.example' })
  await enterUser(db, organization_id, 'Ben', {
    email: 'ben@tamsel.example',
    banned_at: new Date().toISOString(),
  })
  const at = `/admin/mails/organization/${organization_id}`
  expect((await as('super_admin').get(`${at}/people`))['data']).toEqual([
    { name: 'Ada', address: 'ada@tamsel.example', banned: false },
    { name: 'Ben', address: 'ben@tamsel.example', banned: true },
  ])
  const email = { ...words, to: ['ada@tamsel.example'], cc: ['ben@tamsel.example'] }
  expect(await as('super_admin').post(at, email)).toMatchObject({
    status: 422,
    errors: { cc: ['ben@tamsel.example is banned and can’t receive email. Remove this address.'] },
  })
})

test('invalid input gets an error per field, and nothing is queued', async () => {
  const { as, at, db } = await withLead()
  const crm = as('crm')
  const errors = async (more: object) => {
    const { status, errors: found = {} } = await crm.post(at, {
      ...words,
      to: ['zoe@tamsel.example'],
      ...more,
    })
    return [status, Object.keys(found)]
  }
  const many = Array.from({ length: 51 }, (_, index) => `p${index}@tamsel.example`)
  expect(await errors({ to: [] })).toEqual([422, ['to']])
  expect(await errors({ to: ['zoe@tamsel'.replace('@', ' ')] })).toEqual([422, ['to.0']])
  expect(await errors({ to: many.slice(0, 30), cc: many.slice(29) })).toEqual([422, ['to']])
  expect(await errors({ cc: ['a@b.example\r\nBcc: c@d.example'] })).toEqual([422, ['cc.0']])
  expect(await errors({ subject: 'Hello\r\nBcc: c@d.example' })).toEqual([422, ['subject']])
  expect(await errors({ content: '<p> </p>' })).toEqual([422, ['content']])
  expect(await errors({ send_at: '2001-01-01T00:00:00Z' })).toEqual([422, ['send_at']])
  expect(await errors({ send_at: '2199-01-01T00:00:00Z' })).toEqual([422, ['send_at']])
  expect(await errors({ file_ids: [999_999] })).toEqual([422, ['file_ids.0']])
  expect(await db.selectFrom('mails').selectAll().execute()).toEqual([])
  // Control
  expect(await errors({})).toEqual([200, []])
})

const needs: Record<string, Permission> = {
  lead: 'lead_send_prospection_mail',
  organization: 'all_organization_email',
  customer_user: 'all_organization_email',
  onboarding: 'onboarding_send_attachment_link',
}

test('each role can email the people of a record according to the key of its type, and no one the rest', async () => {
  const { as, db } = await startTestApp()
  for (const role of [...roleIds, undefined])
    for (const [type, permission] of Object.entries(needs)) {
      const isGranted = role !== undefined && defaultGrants[role].includes(permission)
      const expected = role === undefined ? [401] : isGranted ? [200, 404, 422] : [403]
      const calls = [
        () => as(role).get(`/admin/mails/${type}/999999/people`),
        () => as(role).post(`/admin/mails/${type}/999999/preview`, words),
        () => as(role).post(`/admin/mails/${type}/999999`, { ...words, to: ['zoe@tamsel.example'] }),
      ]
      for (const call of calls) {
        const { status } = await call()
        expect(expected, `${role} ${type} ${status}`).toContain(status)
      }
    }
  expect(
    (await as('super_admin').post('/admin/mails/ticket/1', { ...words, to: ['a@b.example'] })).status,
  ).toBe(404)
  expect(await db.selectFrom('mails').selectAll().execute()).toEqual([])
})

test('a record of another product doesn’t exist, neither to write nor to read its emails', async () => {
  const { as, db, at } = await withLead()
  const { data } = await as('crm').post(at, { ...words, to: ['zoe@tamsel.example'] })
  const viewer = as('crm')
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', viewer.id)
    .where('product_id', '=', 1)
    .execute()
  for (const call of [
    viewer.get(`${at}/people`),
    viewer.get(at),
    viewer.get(`/admin/mail/${data.id}`),
    viewer.post(at, { ...words, to: ['zoe@tamsel.example'] }),
  ])
    expect((await call).status).toBe(404)
})
