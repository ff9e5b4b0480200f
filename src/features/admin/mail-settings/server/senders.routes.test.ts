import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { startMailServer, unfolded } from '#server/mail/mail.testing.ts'

const at = '/admin/mail-settings'
const sender = (more: object = {}) => ({
  product_id: 1,
  name: 'Linen Support',
  address: 'hello@linen.example',
  color: '#7c3aed',
  signature: 'Best wishes,\n{{my_name}}\nLinen',
  footer: 'Linen GmbH, Berlin',
  version: 0,
  ...more,
})
const env = { PUBLIC_URL: 'https://panel.example.com', MAIL_FROM: 'Panel <panel@example.com>' }
const letter = { subject: 'Our offer', content: '<p>Hello</p>', to: ['zoe@tamsel.example'] }

async function withLead(more: Record<string, string> = {}) {
  const started = await startTestApp({ env: { ...env, ...more } })
  return { ...started, lead: `/admin/mails/lead/${await enterLead(started.db)}` }
}
const from = async ({ as, lead }: Pick<TestApp, 'as'> & { lead: string }) =>
  (await as('crm').post(`${lead}/preview`, letter))['data'].from as string

test('a sender changes who emails of its product come from, and how they look', async () => {
  const started = await withLead()
  const { as, lead } = started
  expect(await from(started)).toMatch(/^".+" <panel@example\.com>$/)
  expect(await as('admin').post(`${at}/senders`, sender())).toMatchObject({
    status: 200,
    data: { version: 1 },
  })
  expect(await from(started)).toMatch(/^"Paula Ferreira" <hello@linen\.example>$/)
  const { html } = (await as('crm').post(`${lead}/preview`, letter))['data']
  expect(html).toContain('#7c3aed')
  expect(html).toContain('Linen GmbH, Berlin')
  expect(html).not.toContain('nsubscribe')
  expect((await as('crm').get(`${lead}/people`))['signature']).toBe(
    '<p>Best wishes,<br />Paula Ferreira<br />Linen</p>',
  )
  expect(await as('super_admin').post(`${at}/senders`, sender({ name: 'Late' }))).toMatchObject({
    status: 409,
  })
})

test.each([
  [{ color: 'red' }, 'color'],
  [{ address: 'nobody' }, 'address'],
  [{ address: 'a@b.example\r\nBcc: c@evil.example' }, 'address'],
  [{ name: 'Linen\r\nBcc: c@evil.example' }, 'name'],
  [{ footer: 'x'.repeat(501) }, 'footer'],
])('%j is refused at its field', async (more, field) => {
  const { as, db } = await startTestApp()
  expect(await as('admin').post(`${at}/senders`, sender(more))).toMatchObject({
    status: 422,
    errors: { [field]: [expect.any(String)] },
  })
  expect(await db.selectFrom('senders').selectAll().execute()).toEqual([])
})

test('a sender of another product can’t be seen or changed', async () => {
  const { as, db } = await startTestApp()
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '=', 2)
    .execute()
  expect((await as('admin').post(`${at}/senders`, sender({ product_id: 2 }))).status).toBe(403)
  const { data } = await as('admin').get(`${at}/senders`)
  expect(data.map(({ product_id }: { product_id: number | null }) => product_id)).toEqual([null, 1, 3, 4])
})

test('an own address is used once its link was opened and confirmed, and while its domain is allowed', async () => {
  const server = await startMailServer()
  const started = await withLead({ SMTP_URL: server.url })
  const { as, db } = started
  const own = { address: 'Paula@linen.example' }
  expect(await as('crm').post('/admin/own-address', own)).toMatchObject({
    status: 422,
    errors: { address: [expect.stringContaining('No domain is allowed')] },
  })
  await as('admin').post(`${at}/rules`, { own_domains: ['linen.example'] })
  expect(await as('crm').post('/admin/own-address', { address: 'p@sub.linen.example' })).toMatchObject({
    status: 422,
  })
  expect(await as('crm').post('/admin/own-address', own)).toMatchObject({ status: 200 })
  expect((await as('crm').post('/admin/own-address', own)).status).toBe(409)
  expect(await from(started)).toContain('<panel@example.com>')

  await expect.poll(() => server.received).toHaveLength(1)
  expect(server.received[0]!.to).toEqual(['paula@linen.example'])
  const [, path] = /\/api(\/confirm-address\/[\w-]+)/.exec(unfolded(server.received[0]!.raw))!
  // No one else learns the link: it proves who reads the mailbox.
  const { id } = await db.selectFrom('mails').select('id').executeTakeFirstOrThrow()
  expect((await as('super_admin').get(`/admin/mail/${id}`)).status).toBe(404)
  // A scanner that opens the link confirms nothing.
  expect((await as(undefined).get(path!)).status).toBe(200)
  expect(await from(started)).toContain('<panel@example.com>')
  expect((await as(undefined).post('/confirm-address/wrong')).status).toBe(404)
  expect((await as(undefined).post(path!)).status).toBe(200)
  expect(await from(started)).toBe('"Paula Ferreira" <paula@linen.example>')
  expect((await as(undefined).post(path!)).status).toBe(404)

  await as('admin').post(`${at}/rules`, { own_domains: [] })
  expect(await from(started)).toContain('<panel@example.com>')
  await as('admin').post(`${at}/rules`, { own_domains: ['linen.example'] })
  expect(await from(started)).toContain('<paula@linen.example>')
  await as('crm').post('/admin/own-address/remove')
  expect(await from(started)).toContain('<panel@example.com>')
})

test('emails are held for the seconds in the settings, which are 5 to 120', async () => {
  const started = await withLead()
  const { as, lead, db } = started
  for (const undo_seconds of [4, 121, 1.5, 'x'])
    expect(await as('admin').post(`${at}/rules`, { undo_seconds })).toMatchObject({
      status: 422,
      errors: { undo_seconds: [expect.any(String)] },
    })
  const held = async () => {
    await as('crm').post(lead, letter)
    const { at: due } = await db
      .selectFrom('mail_recipients')
      .select('next_try_at as at')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    return (Date.parse(due) - Date.now()) / 1000
  }
  const usual = await held()
  expect(usual).toBeGreaterThan(5)
  expect(usual).toBeLessThanOrEqual(10.5)
  expect(await as('admin').post(`${at}/rules`, { undo_seconds: 90 })).toMatchObject({
    data: { undo_seconds: 90, undo_mailing_seconds: 60 },
  })
  expect(await held()).toBeGreaterThan(80)
  expect((await as('crm').get(`${lead}/people`))['undo_seconds']).toBe(90)
})
