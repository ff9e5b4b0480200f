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
    const { status } = await as(role).post(`${support}/ticket/${goes}/merge`, { into: goes })
    expect([role, status]).toEqual([role, may ? 422 : refused])
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
