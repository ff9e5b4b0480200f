import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { deliver, inboundEnv } from '#features/crm/emails/server/emails.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

const support = '/admin/support'
const values = { title: 'October invoice', category: 2, assignee_id: null }

async function withThree(env?: Record<string, string>) {
  const started = await startTestApp(env ? { env } : {})
  const { as, db } = started
  const org = await enterOrganization(db)
  const user = await enterUser(db, org, 'Jana')
  const { id, message_id } = await enterTicket(db, { organization_id: org, customer_user_id: user })
  const reply = await as('support').post(`${support}/sendReply/${id}`, { message: '<p>Try again.</p>' })
  const { id: last } = await db
    .insertInto('ticket_messages')
    .values({
      ticket_id: id,
      sent_by_admin: false,
      customer_user_id: user,
      message: '<p>And the invoice?</p>',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('tickets').set({ unread_message_id: last }).where('id', '=', id).execute()
  await as('support').post(`${support}/create-ticket/comment`, {
    ticket_id: id,
    message_id: last,
    support_comment: 'Ask accounting.',
  })
  const show = async (of: number) => (await as('support').get(`${support}/ticket/${of}`))['data']
  const split = (message_ids: number[], more: object = {}, who = 'support') =>
    as(who).post(`${support}/ticket/${id}/split`, { ...values, message_ids, ...more })
  const state = async (...ids: number[]) =>
    Promise.all(
      ids.map(async (of) => {
        const { messages, comments, unread, merged_into } = await show(of)
        const idsOf = (rows: { id: number }[]) => rows.map((row) => row.id)
        return { messages: idsOf(messages), comments: idsOf(comments), unread, merged_into }
      }),
    )
  return {
    ...started,
    id,
    user,
    messages: [message_id, reply['data'].message_id as number, last],
    show,
    split,
    state,
  }
}

test('splitting is for roles that can open tickets', async () => {
  const { as, id } = await withThree()
  for (const role of [...roleIds, undefined]) {
    const may = role !== undefined && defaultGrants[role].includes('all_tickets_view')
    const refused = role === undefined ? 401 : 403
    const { status } = await as(role).post(`${support}/ticket/${id}/split`, { ...values, message_ids: [] })
    expect([role, status]).toEqual([role, may ? 422 : refused])
  }
})

test('the chosen messages and the notes about them are in a new ticket of the same requester, and undo puts them back', async () => {
  const { as, id, user, messages, show, split, state } = await withThree()
  const [first, reply, last] = messages as [number, number, number]
  const before = await state(id)
  const done = await split([last])
  const to = done['data'].id as number
  expect(done).toMatchObject({ status: 200, message: `Split #${to} from #${id}.` })
  const [old, created] = await state(id, to)
  expect(old).toMatchObject({ messages: [first, reply], comments: [], unread: false })
  expect(created).toMatchObject({ messages: [last], unread: true, merged_into: null })
  expect(created!.comments).toHaveLength(1)
  expect(await show(to)).toMatchObject({ title: 'October invoice', category: 2, user_id: user, status: 0 })
  for (const [of, act] of [
    [id, 'Split'],
    [to, 'Split'],
  ] as const) {
    const acts = (await as('support').get(`/admin/records/ticket/${of}/history`))['data']
    expect(acts.map((event: { act: string }) => event.act)).toContain(act)
  }
  const operation = (done['operation'] as { id: number }).id
  expect((await as('support').post(`/admin/operations/${operation}/undo`)).status).toBe(200)
  expect(await state(id)).toEqual(before)
  expect(await show(to)).toMatchObject({ merged_into: id, messages: [] })
  const listed = (await as('support').get(`${support}/ticket`))['data'].map((row: { id: number }) => row.id)
  expect(listed).toEqual([id])
  expect((await as('support').post(`/admin/operations/${operation}/redo`)).status).toBe(200)
  expect(await state(id, to)).toEqual([old, created])
})

test('the one other person who wrote the moved messages is the requester of the new ticket', async () => {
  const { as, db, id, user, messages, show, split } = await withThree()
  const org = await enterOrganization(db, { name: 'Aalto Linen' })
  const mia = await enterUser(db, org, 'Mia', { email: 'mia@aalto.example' })
  const write = async (author: object) =>
    (
      await db
        .insertInto('ticket_messages')
        .values({ ticket_id: id, sent_by_admin: false, message: '<p>And the dryer?</p>', ...author })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const ofMia = { customer_user_id: mia, sender_name: 'Mia', sender_email: 'mia@aalto.example' }
  const first = await write(ofMia)
  const second = await write({ ...ofMia, sender_email: 'mia@home.example' })
  const third = await write({ sender_name: 'Otto', sender_email: 'otto@dryer.example' })
  const before = await show(id)
  const undo = async ({ operation }: any) =>
    expect((await as('support').post(`/admin/operations/${operation.id}/undo`)).status).toBe(200)
  const reply = messages[1]!
  for (const [moved, requester] of [
    [[first, second], { user_id: mia, requester: 'Mia', org_id: org }],
    [[reply, first], { user_id: mia }],
    [[third], { user_id: 0, requester: 'Otto', org_id: before.org_id }],
    [[first, third], { user_id: user }],
    [[first, messages[2]!], { user_id: user }],
    [[reply], { user_id: user }],
  ] as const) {
    const done = await split([...moved])
    expect([moved, done]).toMatchObject([moved, { status: 200, data: requester }])
    await undo(done)
    expect((await show(id)).messages.map((message: { id: number }) => message.id)).toEqual(
      before.messages.map((message: { id: number }) => message.id),
    )
  }
  const { data } = await split([first])
  await as('support').post(`${support}/sendReply/${data.id}`, { message: '<p>Which one?</p>' })
  const to = await db.selectFrom('mail_recipients').select('address').orderBy('id', 'desc').execute()
  expect(to[0]).toEqual({ address: 'mia@aalto.example' })
})

test('what arrived in the new ticket is in the old one after undo', async () => {
  const { as, db, id, messages, split, state } = await withThree()
  const done = await split([messages[2]!])
  const { id: late } = await db
    .insertInto('ticket_messages')
    .values({ ticket_id: done['data'].id, sent_by_admin: false, message: '<p>Any news?</p>' })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect((await as('support').post(`/admin/operations/${done['operation'].id}/undo`)).status).toBe(200)
  expect((await state(id))[0]!.messages).toEqual([...messages, late])
})

test('at least one message moves, at least one stays, and none is of another ticket', async () => {
  const { db, id, messages, split, state } = await withThree()
  const other = await enterTicket(db)
  const before = await state(id)
  for (const [ids, words] of [
    [[], 'Choose at least one message.'],
    [messages, 'Leave at least one message in this ticket.'],
    [[messages[0]!, other.message_id], 'Choose messages of this ticket.'],
  ] as const) {
    const refused = await split([...ids])
    expect(refused).toMatchObject({ status: 422, errors: { message_ids: [words] } })
  }
  expect(await split([messages[2]!], { title: ' ' })).toMatchObject({
    status: 422,
    errors: { title: ['This field is required.'] },
  })
  expect(await state(id)).toEqual(before)
})

test('of two people who split off the same message, one does, and the other one gets an error', async () => {
  const { id, messages, split, state } = await withThree()
  const replies = await Promise.all([split([messages[2]!]), split([messages[2]!], {}, 'csm')])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422])
  expect((await state(id))[0]!.messages).toEqual(messages.slice(0, 2))
})

test('a reply to a message that was moved arrives in the new ticket, and after undo in the old one', async () => {
  const started = await withThree(inboundEnv)
  const { as, db, id, messages, split, show } = started
  const { email } = await db
    .updateTable('customer_users')
    .set({ email: 'jana@resort.example' })
    .where('id', '=', started.user)
    .returning('email')
    .executeTakeFirstOrThrow()
  const { data, operation } = await split([messages[1]!])
  const mail = await db
    .selectFrom('mails')
    .select('message_id')
    .where('record_type', '=', 'ticket')
    .executeTakeFirst()
  const answer = (number: number) =>
    deliver(
      started,
      `From: Jana <${email}>\r\nTo: desk@linen.example\r\nMessage-ID: <late${number}@resort.example>\r\nIn-Reply-To: ${mail?.message_id}\r\nSubject: Re: invoice\r\n\r\nThanks ${number}.\r\n`,
    )
  expect((await answer(1)).status).toBe(200)
  expect((await show(data.id)).messages.at(-1).message).toContain('Thanks 1.')
  await as('support').post(`/admin/operations/${(operation as { id: number }).id}/undo`)
  expect((await answer(2)).status).toBe(200)
  expect((await show(id)).messages.at(-1).message).toContain('Thanks 2.')
})

test('whichever messages are split off, or merged, undo puts everything back, emails too, and redo moves it again', async () => {
  const { as, db, id, messages, split } = await withThree()
  const [first, , last] = messages as [number, number, number]
  const { id: into } = await enterTicket(db)
  await sql`update tickets t set last_message_at = (select m.created_at from ticket_messages m where m.ticket_id = t.id)
    where t.id = ${into}`.execute(db)
  for (const message of [first, last]) {
    const path = `${support}/ticket/${id}/messages/${message}/forward`
    expect((await as('support').post(path, { to: ['help@scanner.example'], content: '' })).status).toBe(200)
  }
  await as('support').post(`${support}/sendReply/${id}`, { message: '<p>Here it is.</p>' })
  const own = db.selectFrom('ticket_messages').select('id').where('ticket_id', '=', id).orderBy('id')
  const all = (await own.execute()).map((row) => row.id)
  // Two replies and two forwards.
  expect([all.length, (await db.selectFrom('mails').select('id').execute()).length]).toEqual([4, 4])
  const everything = async () => ({
    messages: await db.selectFrom('ticket_messages').selectAll().orderBy('id').execute(),
    comments: await db.selectFrom('ticket_comments').selectAll().orderBy('id').execute(),
    mails: await db.selectFrom('mails').select(['id', 'record_id']).orderBy('id').execute(),
    forwards: await db.selectFrom('ticket_forwards').selectAll().orderBy('id').execute(),
    tickets: await db
      .selectFrom('tickets')
      .select(['id', 'title', 'merged_into', 'unread_message_id', 'last_message_at'])
      .where('id', 'in', [id, into])
      .orderBy('id')
      .execute(),
  })
  const turn = async (operation: number, way: 'undo' | 'redo') =>
    expect((await as('support').post(`/admin/operations/${operation}/${way}`)).status).toBe(200)
  const before = await everything()
  const demandReversible = async ({ operation }: any) => {
    const after = await everything()
    expect(after.mails).not.toEqual(before.mails)
    await turn(operation.id, 'undo')
    expect(await everything()).toEqual(before)
    await turn(operation.id, 'redo')
    expect(await everything()).toEqual(after)
    await turn(operation.id, 'undo')
    expect(await everything()).toEqual(before)
  }
  // Each choice of messages, except none and all.
  for (let chosen = 1; chosen < 2 ** all.length - 1; chosen += 1)
    await demandReversible(await split(all.filter((_, index) => chosen & (2 ** index))))
  await demandReversible(await as('support').post(`${support}/ticket/${id}/merge`, { into }))
})
