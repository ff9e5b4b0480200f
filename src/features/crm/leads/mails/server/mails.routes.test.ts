import { expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestClient } from '#app/testing/start.testing.ts'
import { defaultGrants, roleIds, type Permission } from '#shared/access.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { startMailServer, withoutStyles } from '#server/mail/mail.testing.ts'

const at = '/admin/users'

async function withLead(
  env: Record<string, string> = {},
): Promise<TestApp & { lead_id: number; to: object; all: () => Promise<unknown> }> {
  const started = await startTestApp({ env })
  const lead_id = await enterLead(started.db, { company_name: 'Tamsel Hotel', timezone: 'US/Pacific' })
  const all = async () => [
    await started.db.selectFrom('mails').selectAll().orderBy('id').execute(),
    await started.db.selectFrom('mail_recipients').selectAll().execute(),
    await started.db.selectFrom('lead_prospection_answers').selectAll().execute(),
    await started.db.selectFrom('leads').selectAll().execute(),
  ]
  return {
    ...started,
    lead_id,
    to: { lead_id, lead_name: 'Zoë Yıldız', lead_email: 'zoe@tamsel.example' },
    all,
  }
}

const calls = (
  lead_id: number,
  to: object,
): [needs: Permission, (who: TestClient) => Promise<{ status: number }>][] => [
  ['lead_detail', (who) => who.get(`${at}/lead-mails?lead_id=${lead_id}`)],
  ['lead_send_prospection_mail', (who) => who.post(`${at}/schedule-demo-mail`, to)],
  ['lead_send_prospection_mail', (who) => who.post(`${at}/schedule-demo-mail/preview`, to)],
  ['lead_send_prospection_mail', (who) => who.post(`${at}/send-prospection-mail`, to)],
  ['lead_send_prospection_mail', (who) => who.post(`${at}/send-prospection-mail/preview`, to)],
  ['lead_prospection_question', (who) => who.get(`${at}/prospection-questions?lead_id=${lead_id}`)],
  [
    'lead_prospection_question',
    (who) =>
      who.post(`${at}/prospection-questions`, { lead_id, answers: [{ question_id: 1, answer: '400' }] }),
  ],
]

test('each role can use emails according to its permissions, and is refused the rest with nothing changed', async () => {
  const { as, lead_id, to, all } = await withLead()
  const before = await all()
  for (const role of [...roleIds, undefined])
    for (const [needs, call] of calls(lead_id, to))
      if (role === undefined || !defaultGrants[role].includes(needs))
        expect([role, needs, (await call(as(role))).status]).toEqual([
          role,
          needs,
          role === undefined ? 401 : 403,
        ])
  expect(await all()).toEqual(before)
  for (const [needs, call] of calls(lead_id, to))
    expect([needs, (await call(as('crm'))).status]).toEqual([needs, 200])
})

test('a lead of another product, or an unknown one, has no emails and gets none', async () => {
  const { as, db, lead_id, to, all } = await withLead()
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 1)
    .execute()
  const before = await all()
  for (const [needs, call] of calls(lead_id, to))
    expect([needs, (await call(as('crm'))).status]).toEqual([needs, 404])
  for (const [needs, call] of calls(9999, { ...to, lead_id: 9999 }))
    expect([needs, (await call(as('admin'))).status]).toEqual([needs, 404])
  expect(await all()).toEqual(before)
})

test("the preview is the email that is sent: the template with the lead's data", async () => {
  const server = await startMailServer()
  const { as, to, lead_id } = await withLead({ SMTP_URL: server.url })
  const preview = await as('crm').post(`${at}/schedule-demo-mail/preview`, to)
  expect(preview).toMatchObject({
    status: 200,
    data: { to: 'zoe@tamsel.example', subject: 'Linen demo for Tamsel Hotel' },
  })
  expect(preview['data'].message).toMatch(/^Hello Zoë Yıldız,\n\n[^]*US\/Pacific[^]*Kind regards,\n/)
  expect(withoutStyles(preview['data'].html)).toContain('<p>Hello Zoë Yıldız,</p>')
  const sent = await as('crm').post(`${at}/schedule-demo-mail`, to)
  expect(sent).toMatchObject({
    status: 200,
    message: 'Your email is on its way.',
    data: { kind: 'schedule-demo', recipients: [{ state: 'waiting' }] },
  })
  await expect
    .poll(() => as('crm').get(`${at}/lead-mails?lead_id=${lead_id}`))
    .toMatchObject({
      is_on: true,
      data: [
        {
          subject: preview['data'].subject,
          recipients: [{ address: 'zoe@tamsel.example', state: 'sent' }],
        },
      ],
    })
  expect(server.received).toHaveLength(1)
  const history = await as('crm').get(`/admin/records/lead/${lead_id}/history`)
  expect(history['data'][0].changes).toContainEqual({
    field: 'mail_to',
    before: null,
    after: 'zoe@tamsel.example',
  })
})

test("a scheduled demo is named in the lead's local time", async () => {
  const { as, db, lead_id, to } = await withLead()
  await db
    .insertInto('lead_demos')
    .values([
      { lead_id, type: 'Demo', final_date: '2026-03-10T18:00:00Z', status: 2 },
      { lead_id, type: 'Demo', final_date: '2026-03-20T18:00:00Z', status: 2 },
    ])
    .execute()
  const { data } = await as('crm').post(`${at}/schedule-demo-mail/preview`, to)
  expect(data.subject).toBe('Your Linen demo on Friday, 20 March 2026')
  expect(data.message).toContain('at 11:00 (PDT)')
})

test('the questions of a prospecting email are above the signature', async () => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db)
  const preview = async (more: object) =>
    (
      await as('crm').post(`${at}/send-prospection-mail/preview`, {
        lead_id,
        lead_name: 'Aino',
        lead_email: 'aino@aalto.example',
        question_ids: [1],
        ...more,
      })
    )['data']
  const { text, html } = await preview({})
  expect(text.indexOf('1. ')).toBeGreaterThan(0)
  expect(text.indexOf('1. ')).toBeLessThan(text.indexOf('Kind regards,\nPaula Ferreira'))
  expect(html.indexOf('<li>')).toBeLessThan(html.indexOf('Kind regards'))
  // An author who signs differently gets the questions at the end.
  expect((await preview({ message: 'Hello\n\nBye' })).text).toMatch(/Bye\n\nWe would like to know/)
})

test('typed text is sent as typed, escaped in the HTML, with the chosen questions', async () => {
  const { as, db, to } = await withLead()
  const questions = await db
    .selectFrom('prospection_questions')
    .select(['id', 'name'])
    .orderBy('position')
    .execute()
  const typed = {
    ...to,
    subject: 'Two questions & more',
    message: 'Hello <b>Zoë</b>\n\n<script>alert(1)</script>',
    question_ids: [questions[1]!.id, questions[0]!.id],
  }
  expect(await as('crm').post(`${at}/send-prospection-mail`, typed)).toMatchObject({
    status: 200,
    message: expect.stringContaining('once email is set up'),
  })
  const mail = await db.selectFrom('mails').selectAll().executeTakeFirstOrThrow()
  expect(mail).toMatchObject({
    kind: 'prospection',
    subject: typed.subject,
    reply_to: expect.stringContaining('@'),
    staff_id: as('crm').id,
  })
  expect(withoutStyles(mail.html)).toContain('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')
  expect(mail.html).not.toMatch(/<script|<b>/)
  expect(withoutStyles(mail.html)).toContain(`<li>${questions[0]!.name}</li><li>${questions[1]!.name}</li>`)
  expect(mail.text).toContain(`1. ${questions[0]!.name}\n2. ${questions[1]!.name}`)
})

test('the same request twice is one email', async () => {
  const { as, db, to } = await withLead()
  const headers = { 'idempotency-key': 'twice-twice-twice' }
  for (let times = 0; times < 2; times += 1)
    expect((await as('crm').post(`${at}/schedule-demo-mail`, to, { headers })).status).toBe(200)
  expect(await db.selectFrom('mails').selectAll().execute()).toHaveLength(1)
})

test('answers are stored, changed, and removed, and are in the history', async () => {
  const { as, lead_id } = await withLead()
  const answer = (answers: object[]) => as('crm').post(`${at}/prospection-questions`, { lead_id, answers })
  expect(await answer([{ question_id: 1, answer: ' 400 a week ' }])).toMatchObject({
    status: 200,
    data: expect.arrayContaining([
      expect.objectContaining({ id: 1, answer: '400 a week', who: expect.any(String) }),
    ]),
  })
  expect(
    (
      await answer([
        { question_id: 1, answer: '500' },
        { question_id: 2, answer: 'In house' },
      ])
    )['data'].slice(0, 2),
  ).toMatchObject([{ answer: '500' }, { answer: 'In house' }])
  expect((await answer([{ question_id: 1, answer: '' }]))['data'][0]).toMatchObject({ answer: '', who: null })
  const history = await as('crm').get(`/admin/records/lead/${lead_id}/history`)
  expect(history['data']).toHaveLength(3)
})

test('an invalid address, subject, or question is refused at its field, and nothing is stored', async () => {
  const { as, to, lead_id, all } = await withLead()
  const before = await all()
  const wrong: [path: string, body: object, field: string][] = [
    ...(
      [
        'schedule-demo-mail',
        'send-prospection-mail',
        'schedule-demo-mail/preview',
        'send-prospection-mail/preview',
      ] as const
    ).flatMap((path): [string, object, string][] => [
      [path, { ...to, lead_email: 'nobody' }, 'lead_email'],
      [path, { ...to, lead_email: '' }, 'lead_email'],
      [path, { ...to, lead_email: 'a@b.example, c@d.example' }, 'lead_email'],
      [path, { ...to, lead_email: 'a@b.example\r\nBcc: c@d.example' }, 'lead_email'],
      [path, { ...to, lead_name: 'a\nb' }, 'lead_name'],
      [path, { ...to, lead_name: undefined }, 'lead_name'],
      [path, { ...to, lead_id: 'x' }, 'lead_id'],
      [path, { ...to, subject: 'a\nb' }, 'subject'],
      [path, { ...to, subject: '' }, 'subject'],
      [path, { ...to, message: 'x'.repeat(10_001) }, 'message'],
    ]),
    ['send-prospection-mail', { ...to, question_ids: [999] }, 'question_ids'],
    ['send-prospection-mail', { ...to, question_ids: ['x'] }, 'question_ids.0'],
    ['prospection-questions', { lead_id }, 'answers'],
    ['prospection-questions', { lead_id, answers: [] }, 'answers'],
    [
      'prospection-questions',
      {
        lead_id,
        answers: [
          { question_id: 1, answer: 'kept?' },
          { question_id: 999, answer: 'x' },
        ],
      },
      'answers.1.question_id',
    ],
    [
      'prospection-questions',
      { lead_id, answers: [{ question_id: 1, answer: 'a\u0000' }] },
      'answers.0.answer',
    ],
  ]
  for (const [path, body, field] of wrong) {
    const reply = await as('crm').post(`${at}/${path}`, body)
    expect([path, field, reply.status, Object.keys(reply.errors ?? {})]).toEqual([
      path,
      field,
      422,
      expect.arrayContaining([field]),
    ])
  }
  expect(await all()).toEqual(before)
})

test('a placeholder in an email to a lead is the recipient’s name, and an unknown one is named', async () => {
  const { as, db, to } = await withLead()
  const text = 'Dear {{ Name }}, {{first_name}}'
  for (const kind of ['schedule-demo-mail', 'send-prospection-mail'])
    for (const path of [`${at}/${kind}`, `${at}/${kind}/preview`])
      expect([path, await as('crm').post(path, { ...to, message: text })]).toMatchObject([
        path,
        {
          status: 422,
          errors: { message: ['“{{first_name}}” isn’t a placeholder. Use {{name}}, or remove the braces.'] },
        },
      ])
  const mail = { ...to, lead_name: '$& <b>Zoë</b>', subject: 'Hi {{ name }}', message: 'Dear {{Name}},' }
  expect((await as('crm').post(`${at}/send-prospection-mail/preview`, mail))['data']).toMatchObject({
    subject: 'Hi $& <b>Zoë</b>',
    text: 'Dear $& <b>Zoë</b>,\n',
  })
  await as('crm').post(`${at}/send-prospection-mail`, mail)
  expect(await db.selectFrom('mails').select(['subject', 'html']).execute()).toEqual([
    { subject: 'Hi $& <b>Zoë</b>', html: expect.stringContaining('Dear $&amp; &lt;b&gt;Zoë&lt;/b&gt;,') },
  ])
})
