import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { deliver, inboundEnv } from '#features/crm/emails/server/emails.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

const support = '/admin/support'
const promo = {
  id: null,
  words: [],
  in_message: false,
  senders: ['promo.example'],
  category: null,
  organization_id: null,
  new_category: null,
  new_priority: null,
  tag_ids: [],
  mark_spam: true,
}
const scanner = { ...promo, senders: [], words: ['scanner'], new_priority: 1, mark_spam: false }
const reason = 'Rule 2: sender promo.example'

const idsOf = async ({ as }: Pick<TestApp, 'as'>, query: string) =>
  ((await as('support').get(`${support}/ticket?${query}`))['data'] as { id: number }[]).map(({ id }) => id)

/** Rules that mark emails of a domain as spam, and customers at this domain and another one. */
async function withRules() {
  const started = await startTestApp({ env: inboundEnv })
  const { as, db } = started
  const org = await enterOrganization(db)
  await enterUser(db, org, 'Pia', { email: 'pia@promo.example' })
  await enterUser(db, org, 'Jana', { email: 'jana@resort.example' })
  const saved = await as('admin').post(`${support}/ticket-rules`, { version: 0, rules: [scanner, promo] })
  expect(saved.status).toBe(200)
  let sent = 0
  const receive = async (from: string) => {
    sent += 1
    const raw = [
      `From: ${from}`,
      'To: replies@linen.example',
      'Subject: A free prize',
      `Message-ID: <${sent}@x.example>`,
      '',
      'Click.',
    ]
    const { id } = await deliver(started, raw.join('\r\n'))
    const mail = await db
      .selectFrom('received_mails')
      .select('record_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return mail.record_id!
  }
  return { ...started, receive }
}

test('a rule marks a ticket that an email opened as spam, with the reason; lists, counts, and the bell leave it out', async () => {
  const started = await withRules()
  const { as, db, receive } = started
  await as('admin').post(`${support}/assignment-rules`, {
    version: 0,
    rules: [{ id: null, category: null, organization_id: null, staff_ids: [as('support').id] }],
  })
  const good = await receive('jana@resort.example')
  const spam = await receive('pia@promo.example')
  const { data } = await as('support').get(`${support}/ticket/${spam}`)
  expect(data).toMatchObject({ spam_reason: reason, assignee_id: null, messages: [{ who: 'Pia' }] })
  // Control: the other ticket is in the lists, and assigned.
  expect((await as('support').get(`${support}/ticket/${good}`))['data']).toMatchObject({
    spam_reason: null,
    assignee_id: as('support').id,
  })
  for (const query of ['', 'queue=unread', 'queue=unanswered'])
    expect(await idsOf(started, query), query).toEqual([good])
  expect(await idsOf(started, 'queue=spam')).toEqual([spam])
  expect(await idsOf(started, 'search=prize')).toEqual([spam, good])
  expect((await as('support').get(`${support}/queues`))['data']).toMatchObject({
    unread: 1,
    spam: 1,
    unanswered: 1,
  })
  expect(await as('support').get(`${support}/unread-tickets-count`)).toMatchObject({ ticket_count: 1 })
  const open = (await db.selectFrom('assigned_ticket_counts').selectAll().execute()).reduce(
    (sum, { change }) => sum + change,
    0,
  )
  expect(open).toBe(1)
  const { data: history } = await as('support').get(`/admin/records/ticket/${spam}/history`)
  expect(history).toContainEqual(
    expect.objectContaining({
      act: 'Sorted by a rule',
      changes: [expect.objectContaining({ field: 'spam_reason', after: reason })],
    }),
  )
})

test('“Not spam” returns a ticket to the lists, which can be undone; an admin user can mark it, too', async () => {
  const started = await withRules()
  const { as, receive } = started
  const id = await receive('pia@promo.example')
  const mark = (spam: boolean) => as('support').post(`${support}/ticket/${id}/spam`, { spam })
  const reply = await mark(false)
  expect(reply).toMatchObject({ status: 200, data: { spam_reason: null } })
  expect(await idsOf(started, '')).toEqual([id])
  await as('support').post(`/admin/operations/${reply['operation'].id}/undo`)
  expect(await idsOf(started, '')).toEqual([])
  expect((await mark(true))['data']).toMatchObject({ spam_reason: reason })
  await mark(false)
  expect((await mark(true))['data']).toMatchObject({ spam_reason: 'Marked by Tom Whitfield' })
  expect(await as('support').post(`${support}/ticket/${id}/spam`, {})).toMatchObject({
    status: 422,
    errors: { spam: [expect.any(String)] },
  })
})

test('a ticket that an admin user files is not marked as spam', async () => {
  const { as } = await withRules()
  const { data } = await as('support').post(`${support}/ticket`, {
    title: 'A caller',
    message: '<p>Hi</p>',
    sender_name: 'Pia',
    sender_email: 'boss@promo.example',
  })
  expect(data).toMatchObject({ spam_reason: null })
})

test('rules that are tried say which tickets they would mark, and mark none', async () => {
  const { as, db } = await startTestApp()
  const { id } = await enterTicket(db, { sender_email: 'pia@promo.example' })
  await enterTicket(db, { title: 'Other', sender_email: 'jana@resort.example' })
  const tried = await as('admin').post(`${support}/ticket-rules/try`, { rules: [promo] })
  expect(tried).toMatchObject({
    total: 2,
    data: [{ id, rules: [0], spam_reason: 'Rule 1: sender promo.example' }],
  })
  expect((await as('support').get(`${support}/ticket/${id}`))['data']).toMatchObject({ spam_reason: null })
})

test('marking as spam is for roles that can open tickets', async () => {
  const { as, db } = await startTestApp()
  const { id } = await enterTicket(db)
  for (const role of [...roleIds, undefined]) {
    const may = role !== undefined && defaultGrants[role].includes('all_tickets_view')
    const { status } = await as(role).post(`${support}/ticket/${id}/spam`, { spam: true })
    expect(status, String(role)).toBe(may ? 200 : role === undefined ? 401 : 403)
  }
})
