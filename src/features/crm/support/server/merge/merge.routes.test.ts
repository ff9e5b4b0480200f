import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { deliver, inboundEnv } from '#features/crm/emails/server/emails.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

const support = '/admin/support'

async function withTwo() {
  const started = await startTestApp()
  const { as, db } = started
  const org = await enterOrganization(db)
  const user = await enterUser(db, org, 'Jana')
  const stays = await enterTicket(db, { title: 'Scanner', organization_id: org, customer_user_id: user })
  const goes = await enterTicket(db, { title: 'URGENT', organization_id: org, customer_user_id: user })
  const tag = await db
    .insertInto('ticket_tags')
    .values({ name: 'devices' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await as('support').post(`${support}/ticket/${goes.id}/update`, { tag_ids: [tag.id] })
  await as('csm').post(`${support}/ticket/${goes.id}/follow`, { follow: true })
  await as('support').post(`${support}/create-ticket/comment`, {
    ticket_id: goes.id,
    support_comment: 'Same as before.',
  })
  const show = async (id: number) => (await as('support').get(`${support}/ticket/${id}`))['data']
  const merge = (who = 'support', from = goes.id, into = stays.id) =>
    as(who).post(`${support}/ticket/${from}/merge`, { into })
  const state = async () => {
    const [one, two] = [await show(stays.id), await show(goes.id)]
    return [one, two].map(({ messages, comments, tag_ids, merged_into }) => ({
      messages: messages.map(({ id }: { id: number }) => id),
      comments: comments.map(({ id }: { id: number }) => id),
      tag_ids,
      merged_into,
    }))
  }
  return { ...started, stays: stays.id, goes: goes.id, tag: tag.id, show, merge, state }
}

test('merging is for roles that can open tickets', async () => {
  const { as, stays, goes } = await withTwo()
  for (const role of [...roleIds, undefined]) {
    const may = role !== undefined && defaultGrants[role].includes('all_tickets_view')
    const refused = role === undefined ? 401 : 403
    for (const body of [{ into: goes }, { into: stays, others: [stays] }]) {
      const { status } = await as(role).post(`${support}/ticket/${goes}/merge`, body)
      expect([role, status]).toEqual([role, may ? 422 : refused])
    }
    expect([role, (await as(role).get(`${support}/ticket/${stays}/similar`)).status]).toEqual([
      role,
      may ? 200 : refused,
    ])
  }
})

test('the ticket that stays has the messages, comments, tags, and followers of both, and the other one is hidden', async () => {
  const { as, stays, goes, tag, show, merge } = await withTwo()
  expect((await as('support').get(`${support}/ticket/${stays}/similar`))['data']).toMatchObject([
    { id: goes },
  ])
  expect(await merge()).toMatchObject({ status: 200, message: `Merged #${goes} into #${stays}.` })
  const merged = await show(stays)
  expect(merged).toMatchObject({ title: 'Scanner', tag_ids: [tag], merged_into: null, unread: true })
  expect(merged.messages).toHaveLength(2)
  expect(merged.comments).toHaveLength(1)
  expect(await show(goes)).toMatchObject({ merged_into: stays, messages: [], unread: false })
  expect((await as('support').get(`${support}/ticket`))['data'].map(({ id }: { id: number }) => id)).toEqual([
    stays,
  ])
  expect((await as('csm').get(`${support}/ticket/${stays}`))['data'].is_followed).toBe(true)
  const acts = (await as('support').get(`/admin/records/ticket/${stays}/history`))['data']
  expect(acts.map(({ act }: { act: string }) => act)).toContain('Merged')
})

test('the line that names a merged ticket undoes the merge, also later', async () => {
  const { as, stays, goes, merge, show } = await withTwo()
  await merge()
  const lines = async () =>
    (
      (await as('support').get(`/admin/records/ticket/${stays}/history`))['data'] as {
        changes: { field: string }[]
        operation: { id: number; way: string } | null
      }[]
    ).filter(({ changes }) => changes.some(({ field }) => field === 'merged'))
  const [line] = await lines()
  expect(line?.operation).toMatchObject({ way: 'undo' })
  await as('support').post(`/admin/operations/${line!.operation!.id}/undo`)
  expect(await show(goes)).toMatchObject({ merged_into: null })
  expect((await lines())[0]?.operation).toMatchObject({ way: 'redo' })
})

test('merging, then undo, is as before', async () => {
  const { as, merge, state, stays } = await withTwo()
  const before = await state()
  const { operation } = await merge()
  expect(await state()).not.toEqual(before)
  expect((await as('support').post(`/admin/operations/${operation.id}/undo`)).status).toBe(200)
  expect(await state()).toEqual(before)
  expect((await as('support').post(`/admin/operations/${operation.id}/redo`)).status).toBe(200)
  expect((await state())[1]).toMatchObject({ merged_into: stays, messages: [] })
})

test('after undo, a merged ticket is unread again for those who hadn’t read it', async () => {
  const { as, db, merge, stays, goes } = await withTwo()
  const unreadOf = async (who: string) => {
    const { data } = await as(who).get(`${support}/ticket?queue=unread&column=id&direction=asc`)
    return (data as { id: number }[]).map(({ id }) => id)
  }
  for (const ticket_id of [stays, goes])
    for (const staff_id of [as('support').id, as('csm').id])
      await db.insertInto('ticket_unread').values({ ticket_id, staff_id }).execute()
  const { operation } = await merge()
  expect([await unreadOf('support'), await unreadOf('csm')]).toEqual([[stays], [stays]])
  const { data } = await as('csm').get(`${support}/queues`)
  expect(data.unread).toBe(1)
  await as('support').post(`/admin/operations/${operation.id}/undo`)
  expect([await unreadOf('support'), await unreadOf('csm')]).toEqual([
    [stays, goes],
    [stays, goes],
  ])
})

test('what arrived after undo is in the ticket that stays after redo', async () => {
  const { as, db, merge, state, stays, goes } = await withTwo()
  const { operation } = await merge()
  await as('support').post(`/admin/operations/${operation.id}/undo`)
  const { id: late } = await db
    .insertInto('ticket_messages')
    .values({ ticket_id: goes, sent_by_admin: false, message: '<p>Any news?</p>' })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect((await as('support').post(`/admin/operations/${operation.id}/redo`)).status).toBe(200)
  const [one, two] = await state()
  expect(one!.messages).toContain(late)
  expect([two!.messages, two!.merged_into]).toEqual([[], stays])
})

test('two merges into each other: one is done, the other answers 409', async () => {
  const { stays, goes, merge, state } = await withTwo()
  const replies = await Promise.all([merge('support', goes, stays), merge('csm', stays, goes)])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await state()).map(({ messages }) => messages.length).toSorted()).toEqual([0, 2])
})

test('a merged ticket is not merged again, and a ticket of another product is not found', async () => {
  const { as, db, stays, merge } = await withTwo()
  await merge()
  expect((await merge()).status).toBe(409)
  const other = await enterTicket(db, {
    organization_id: await enterOrganization(db, { name: 'Other' }, [4]),
  })
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('support').id)
    .where('product_id', '=', 4)
    .execute()
  expect((await merge('support', stays, other.id)).status).toBe(404)
  expect((await merge('support', stays, 9999)).status).toBe(404)
})

test('a reply to the email of a merged ticket arrives in the ticket that stays', async () => {
  const started = await startTestApp({ env: inboundEnv })
  const { as, db } = started
  const stays = await enterTicket(db, { title: 'Scanner', sender_email: 'jana@resort.example' })
  const goes = await enterTicket(db, { title: 'URGENT', sender_email: 'jana@resort.example' })
  await as('support').post(`${support}/ticket/${goes.id}/merge`, { into: stays.id })
  const answer = await deliver(
    started,
    `From: Jana <jana@resort.example>\r\nTo: desk@linen.example\r\nMessage-ID: <late@resort.example>\r\nSubject: Re: URGENT [#${goes.id}]\r\n\r\nAny news?\r\n`,
  )
  expect(answer.status).toBe(200)
  const { messages } = (await as('support').get(`${support}/ticket/${stays.id}`))['data']
  expect(messages).toHaveLength(3)
  expect(messages[2].message).toContain('Any news?')
})

test('a merged ticket takes no reply and no note, and says where it went', async () => {
  const { as, stays, goes, merge, state } = await withTwo()
  const own = await as('support').post(`${support}/ticket`, { title: 'Mine', message: '<p>Please.</p>' })
  await merge()
  await merge('support', own['data'].id, stays)
  const before = await state()
  const said = (ticket: number) => ({ status: 409, message: `Ticket #${ticket} was merged into #${stays}.` })
  const reply = { message: '<p>It is fixed.</p>', last_message_id: 999_999 }
  const note = { ticket_id: goes, support_comment: 'Call them.' }
  expect(await as('support').post(`${support}/sendReply/${goes}`, reply)).toMatchObject(said(goes))
  expect(await as('support').post(`${support}/create-ticket/comment`, note)).toMatchObject(said(goes))
  const answer = { message: '<p>Any news?</p>' }
  expect(await as('support').post(`${support}/requests/${own['data'].id}/reply`, answer)).toMatchObject(
    said(own['data'].id),
  )
  expect(await state()).toEqual(before)
})

/** Four tickets of one user, the last of which was merged into the third one before. */
async function withFour() {
  const started = await startTestApp()
  const { as, db } = started
  const org = await enterOrganization(db)
  const user = await enterUser(db, org, 'Jana')
  const ids: number[] = []
  for (const title of ['Scanner', 'Again', 'URGENT', 'Earlier'])
    ids.push((await enterTicket(db, { title, organization_id: org, customer_user_id: user })).id)
  const [stays, one, two, earlier] = ids as [number, number, number, number]
  await sql`update tickets t set last_message_at = (select m.created_at from ticket_messages m where m.ticket_id = t.id)`.execute(
    db,
  )
  const tag = await db
    .insertInto('ticket_tags')
    .values({ name: 'devices' })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const id of [one, two])
    await as('support').post(`${support}/ticket/${id}/update`, { tag_ids: [tag.id] })
  const note = { ticket_id: two, support_comment: 'Same as before.' }
  await as('support').post(`${support}/create-ticket/comment`, note)
  const merge = (from: number, body: { into: number; others?: number[] }, who = 'support') =>
    as(who).post(`${support}/ticket/${from}/merge`, body)
  const turn = async (id: number, way: 'undo' | 'redo') =>
    (await as('support').post(`/admin/operations/${id}/${way}`)).status
  const first = await merge(earlier, { into: two })
  const everything = async () => ({
    tickets: await db
      .selectFrom('tickets')
      .select(['id', 'title', 'merged_into', 'incident_id', 'last_message_at'])
      .orderBy('id')
      .execute(),
    messages: await db.selectFrom('ticket_messages').selectAll().orderBy('id').execute(),
    comments: await db.selectFrom('ticket_comments').selectAll().orderBy('id').execute(),
    tags: await db
      .selectFrom('ticket_tag_links')
      .select(['ticket_id', 'tag_id'])
      .orderBy('ticket_id')
      .execute(),
  })
  const mergedInto = async () => (await everything()).tickets.map(({ merged_into }) => merged_into)
  return { ...started, stays, one, two, earlier, tag: tag.id, first, merge, turn, everything, mergedInto }
}

test('several tickets are merged in one operation, which names them in the history of the one that stays', async () => {
  const { as, stays, one, two, earlier, tag, merge, mergedInto } = await withFour()
  const reply = await merge(one, { into: stays, others: [two, one] })
  expect(reply).toMatchObject({ status: 200, message: `Merged #${one} and #${two} into #${stays}.` })
  expect(await mergedInto()).toEqual([null, stays, stays, stays])
  const { data } = await as('support').get(`${support}/ticket/${stays}`)
  expect(data).toMatchObject({ title: 'Scanner', tag_ids: [tag] })
  expect([data.messages.length, data.comments.length]).toEqual([4, 1])
  const history = (await as('support').get(`/admin/records/ticket/${stays}/history`))['data']
  const named = history.flatMap(({ changes }: { changes: { field: string; after: unknown }[] }) =>
    changes.filter(({ field }) => field === 'merged').map(({ after }) => after),
  )
  expect(new Set(named)).toEqual(new Set([one, two, earlier]))
})

test('one undo separates all merged tickets, also those that had been merged before, and redo merges them again', async () => {
  const { stays, one, two, first, merge, turn, everything } = await withFour()
  const before = await everything()
  const { operation } = await merge(one, { into: stays, others: [two] })
  const after = await everything()
  expect(await turn(operation.id, 'undo')).toBe(200)
  expect(await everything()).toEqual(before)
  expect(await turn(operation.id, 'redo')).toBe(200)
  expect(await everything()).toEqual(after)
  expect(await turn(operation.id, 'undo')).toBe(200)
  // The earlier merge can then be undone, too.
  expect(await turn(first['operation'].id, 'undo')).toBe(200)
  expect((await everything()).tickets.map(({ merged_into }) => merged_into)).toEqual(Array(4).fill(null))
})

test('if some tickets can’t be merged, none is, and each of them is named with the reason', async () => {
  const { as, db, stays, one, two, earlier, merge, everything } = await withFour()
  const linked = (await enterTicket(db, { title: 'Linked' })).id
  await as('support').post(`${support}/change-tickets`, {
    selection: { ids: [linked] },
    change: { kind: 'incident', incident_id: one },
  })
  const before = await everything()
  expect(await merge(two, { into: stays, others: [one, earlier] })).toMatchObject({
    status: 409,
    message: `No tickets were merged. Ticket #${earlier} was merged into #${two}. Other tickets are linked to #${one}. Keep #${one} and merge the others into it.`,
  })
  expect(await merge(two, { into: stays, others: [9999, earlier] })).toMatchObject({
    status: 404,
    message: `No tickets were merged. Ticket #9999 doesn’t exist. Ticket #${earlier} was merged into #${two}.`,
  })
  expect(await merge(two, { into: stays, others: [stays] })).toMatchObject({
    status: 422,
    errors: { into: ['Choose another ticket.'] },
  })
  const many = Array.from({ length: 19 }, (_, index) => index + 1)
  expect(await merge(two, { into: stays, others: many })).toMatchObject({
    status: 422,
    errors: { others: ['Choose up to 20 tickets.'] },
  })
  expect(await everything()).toEqual(before)
  expect((await merge(two, { into: one, others: [stays] })).status).toBe(200)
})

test('tickets that were merged together are not merged twice', async () => {
  const { stays, one, two, merge, everything } = await withFour()
  await merge(one, { into: stays, others: [two] })
  const before = await everything()
  expect((await merge(one, { into: stays, others: [two] })).status).toBe(409)
  expect(await everything()).toEqual(before)
})

test('two people merge the same tickets into each other: one merge is done, the other answers 409', async () => {
  const { stays, one, two, merge, mergedInto } = await withFour()
  const replies = await Promise.all([
    merge(one, { into: stays, others: [two] }),
    merge(stays, { into: two, others: [one] }, 'csm'),
  ])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const kept = replies[0].status === 200 ? stays : two
  expect((await mergedInto()).filter((id) => id !== null)).toEqual([kept, kept, kept])
})

test('after a merge, the words of a caller without an account aren’t shown as the requester’s', async () => {
  const { as, db, stays, show, merge } = await withTwo()
  const call = await enterTicket(db, { title: 'By phone', sender_name: 'Tom', sender_phone: '+43 1 555 01' })
  const author = async () =>
    (await show(stays)).messages.map(({ id, author }: { id: number; author: string }) => [id, author])
  const { operation } = await merge('support', call.id)
  expect(await author()).toContainEqual([call.message_id, 'other'])
  await as('support').post(`/admin/operations/${operation.id}/undo`)
  expect((await show(call.id)).messages).toMatchObject([{ id: call.message_id, author: 'requester' }])
})
