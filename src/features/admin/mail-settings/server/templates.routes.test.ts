import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { isAdminRole, roleIds } from '#shared/access.ts'
import { startMailServer, unfolded, withoutStyles } from '#server/mail/mail.testing.ts'

const at = '/admin/mail-template'
const words = (more: object = {}) => ({
  kind: 'prospection',
  product_id: null,
  version: 0,
  subject: 'For {{company}}',
  content: '<p>Dear {{name}},</p><p>{{signature}}</p>',
  ...more,
})
const withLead = async (started: TestApp) => enterLead(started.db, { company_name: 'Tamsel <b>Hotel</b>' })

test('only roles 0 and 1 read, save, restore, preview, and test templates', async () => {
  const started = await startTestApp()
  const calls = [
    (who: (typeof roleIds)[number]) => started.as(who).get('/admin/mail-templates'),
    (who: (typeof roleIds)[number]) => started.as(who).get(`${at}?kind=prospection`),
    (who: (typeof roleIds)[number]) => started.as(who).get(`${at}/version?kind=prospection&version=0`),
    (who: (typeof roleIds)[number]) => started.as(who).get(`${at}/records?kind=prospection`),
    (who: (typeof roleIds)[number]) => started.as(who).post(`${at}/preview`, words()),
    (who: (typeof roleIds)[number]) => started.as(who).post(`${at}/test`, words()),
    (who: (typeof roleIds)[number]) => started.as(who).get('/admin/mail-settings/senders'),
    (who: (typeof roleIds)[number]) =>
      started.as(who).post('/admin/mail-settings/rules', { undo_seconds: 20 }),
  ]
  for (const role of roleIds)
    for (const [index, call] of calls.entries())
      expect([role, index, (await call(role)).status]).toEqual([role, index, isAdminRole(role) ? 200 : 403])
  for (const role of roleIds.filter((one) => !isAdminRole(one))) {
    expect((await started.as(role).post(at, words())).status).toBe(403)
    expect((await started.as(role).post(`${at}/restore`, { ...words(), restored: 0 })).status).toBe(403)
    expect((await started.as(role).post(`${at}/remove`, { id: 1 })).status).toBe(403)
  }
  expect(await started.db.selectFrom('mail_templates').select('id').execute()).toEqual([])
})

test('the text of another product can’t be read or saved', async () => {
  const { as, db } = await startTestApp()
  expect((await as('super_admin').post(at, words({ product_id: 2 }))).status).toBe(200)
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '=', 2)
    .execute()
  expect((await as('admin').get(`${at}?kind=prospection&product_id=2`)).status).toBe(403)
  expect((await as('admin').post(at, words({ product_id: 2, version: 1 }))).status).toBe(403)
  // Control: a product that they have.
  expect((await as('admin').post(at, words({ product_id: 1 }))).status).toBe(200)
})

test.each([
  [{ subject: '{{nmae}}' }, { subject: ['{{nmae}} isn’t a variable of this email.'] }],
  [
    { content: '<p>{{first}} {{reply}}</p>' },
    { content: ['{{first}}, {{reply}} aren’t variables of this email.'] },
  ],
  [{ content: '<p>Bye {{signature}}</p>' }, { content: ['Put {{signature}} alone in a paragraph, once.'] }],
  [{ subject: '{{signature}}' }, { subject: ['{{signature}} can’t be in the subject.'] }],
  [
    { kind: 'ticket-reply', subject: 'Re', content: '<p>Hi</p>' },
    { content: ['This email needs {{reply}}.'] },
  ],
  [{ subject: '' }, { subject: ['This field is required.'] }],
  [{ content: '<p> </p>' }, { content: ['This field is required.'] }],
  [{ subject: 'a\nb' }, { subject: [expect.any(String)] }],
])('%j is refused, with a text at the field', async (more, errors) => {
  const { as, db } = await startTestApp()
  expect(await as('admin').post(at, words(more))).toMatchObject({ status: 422, errors })
  expect(await db.selectFrom('mail_template_versions').selectAll().execute()).toEqual([])
})

test('each save is a version that emails use from then on; any version, and the program’s own text, can be restored', async () => {
  const started = await startTestApp()
  const { as } = started
  const lead_id = await withLead(started)
  const preview = async () =>
    (
      await as('crm').post('/admin/users/send-prospection-mail/preview', {
        lead_id,
        lead_name: 'Zoë',
        lead_email: 'zoe@tamsel.example',
      })
    )['data']
  const shipped = await preview()
  expect(await as('admin').post(at, words())).toMatchObject({ status: 200, data: { version: 1 } })
  const first = await preview()
  expect(first.subject).toBe('For Tamsel <b>Hotel</b>')
  expect(withoutStyles(first.html)).toContain('<p>Dear Zoë,</p>')
  expect(await as('admin').post(at, words({ version: 1, subject: 'Second' }))).toMatchObject({
    data: { version: 2 },
  })
  expect((await preview()).subject).toBe('Second')

  // The product's own text wins over that of all products.
  await as('admin').post(at, words({ product_id: 1, subject: 'Own' }))
  expect((await preview()).subject).toBe('Own')
  const restored = await as('admin').post(`${at}/restore`, {
    ...words({ product_id: 1 }),
    restored: 0,
    version: 1,
  })
  expect(restored).toMatchObject({
    message: 'Restored the text of the program as version 2.',
    data: { versions: [{ version: 2 }, { version: 1 }, { version: 0 }] },
  })
  expect(await preview()).toEqual(shipped)
  expect(await as('admin').post(`${at}/restore`, { ...words(), restored: 1, version: 2 })).toMatchObject({
    status: 200,
    data: { version: 3, subject: 'For {{company}}' },
  })
  expect(await as('admin').get(`${at}/version?kind=prospection&version=2`)).toMatchObject({
    data: { subject: 'Second' },
  })
})

test('a save based on an older version is a conflict', async () => {
  const { as, db } = await startTestApp()
  await as('admin').post(at, words())
  expect(await as('super_admin').post(at, words({ subject: 'Mine' }))).toMatchObject({ status: 409 })
  const both = await Promise.all([
    as('admin').post(at, words({ version: 1, subject: 'A' })),
    as('super_admin').post(at, words({ version: 1, subject: 'B' })),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(
    await db.selectFrom('mail_template_versions').select('version').orderBy('version').execute(),
  ).toEqual([{ version: 1 }, { version: 2 }])
})

test('a preview has a real record, and a test reaches only the person who asked for it, exactly so', async () => {
  const server = await startMailServer()
  const started = await startTestApp({
    env: { SMTP_URL: server.url, MAIL_FROM: 'Linen <hello@linen.example>' },
  })
  const { as } = started
  const lead_id = await withLead(started)
  const hostile = words({ content: '<p>Hi {{company}}<script>alert(1)</script></p>' })
  const shown = await as('admin').post(`${at}/preview`, hostile)
  expect(shown).toMatchObject({
    status: 200,
    data: {
      from: expect.stringMatching(/<hello@linen\.example>$/),
      record: { id: lead_id },
      values: { company: 'Tamsel <b>Hotel</b>', my_name: expect.stringMatching(/\w/) },
    },
  })
  expect(shown['data'].html).toContain('Hi Tamsel &lt;b&gt;Hotel&lt;/b&gt;')
  expect(shown['data'].html).not.toMatch(/<script|<b>/)
  expect(await as('admin').post(`${at}/test`, hostile)).toMatchObject({ status: 200 })
  await expect.poll(() => server.received).toHaveLength(1)
  const { email } = await started.db
    .selectFrom('staff')
    .select('email')
    .where('id', '=', as('admin').id)
    .executeTakeFirstOrThrow()
  expect(server.received[0]!.to).toEqual([email])
  expect(unfolded(server.received[0]!.raw)).toContain('Hi Tamsel &lt;b&gt;Hotel&lt;/b&gt;')
})

test.each([
  'ticket-reply',
  'ticket-received',
  'confirm-demo',
  'meeting-link',
  'set-credentials',
  'invitation',
  'forgotten-password',
  'confirm-address',
  'announcement',
  'notification',
  'mailing',
  'mention',
  'assigned',
  'progress-reminder',
  'session-scheduled',
  'composer',
])('the program’s text of %s passes its own check and can be previewed', async (kind) => {
  const { as } = await startTestApp({ env: { PUBLIC_URL: 'https://panel.example.com' } })
  const { data } = await as('admin').get(`${at}?kind=${kind}`)
  const shown = await as('admin').post(`${at}/preview`, { ...data, id: null })
  expect(shown).toMatchObject({ status: 200 })
  expect(shown['data'].html).not.toMatch(/\{\{(?!link)/)
})

test('a template of the composer is offered on records of its product, filled in for the recipient', async () => {
  const started = await startTestApp()
  const { as } = started
  const lead_id = await withLead(started)
  const template = words({ kind: 'composer', name: 'After the call', subject: 'About {{product}}' })
  expect(await as('admin').post(at, { ...template, name: '' })).toMatchObject({
    status: 422,
    errors: { name: ['This field is required.'] },
  })
  const { data } = await as('admin').post(at, template)
  await as('admin').post(at, { ...template, product_id: 2, name: 'Other product' })
  expect(await as('admin').post(at, template)).toMatchObject({
    status: 422,
    errors: { name: [expect.any(String)] },
  })
  const list = `/admin/mails/lead/${lead_id}/templates`
  expect((await as('crm').get(list))['data']).toEqual([{ id: data.id, name: 'After the call' }])
  expect(await as('crm').get(`${list}/${data.id}?name=${encodeURIComponent('Zoë <x>')}`)).toMatchObject({
    data: { subject: 'About Linen', content: expect.stringContaining('<p>Dear Zoë &lt;x&gt;,</p>') },
  })
  expect((await as('qa').get(list)).status).toBe(403)
  expect(await as('admin').post(`${at}/remove`, { id: data.id })).toMatchObject({ status: 200 })
  expect((await as('crm').get(list))['data']).toEqual([])
  expect((await as('crm').get(`${list}/${data.id}`)).status).toBe(404)
})
