import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

const support = '/admin/support'

async function withTwo() {
  const started = await startTestApp()
  const { as, db } = started
  const org_id = await enterOrganization(db, { name: 'Pinewald Hotel' })
  const other = await enterOrganization(db, { name: 'Aalto Linen' })
  const karl = await enterUser(db, org_id, 'Karl', { email: 'karl@pinewald.example' })
  const mia = await enterUser(db, other, 'Mia', { email: 'mia@aalto.example' })
  const { id } = await enterTicket(db, { organization_id: org_id, customer_user_id: karl })
  const change = (body: object, of = id, who = 'support') =>
    as(who).post(`${support}/ticket/${of}/requester`, body)
  const show = async (of = id) => (await as('support').get(`${support}/ticket/${of}`))['data']
  const file = async (body: object) =>
    (
      await as('support').post(`${support}/ticket`, {
        title: 'Second shift can’t sign in',
        message: '<p>The app stays white.</p>',
        ...body,
      })
    )['data'].id as number
  const answer = async (of = id) => {
    await as('support').post(`${support}/sendReply/${of}`, { message: '<p>Please restart it.</p>' })
    return (await db.selectFrom('mail_recipients').select('address').orderBy('id').execute()).map(
      ({ address }) => address,
    )
  }
  return { ...started, id, org_id, other, karl, mia, change, show, file, answer }
}

test('changing the requester, and searching for one, is for roles that can open tickets', async () => {
  const { as, id, mia } = await withTwo()
  for (const role of [...roleIds, undefined]) {
    const may = role !== undefined && defaultGrants[role].includes('all_tickets_view')
    const refused = role === undefined ? 401 : 403
    const changed = await as(role).post(`${support}/ticket/${id}/requester`, { user_id: mia })
    const found = await as(role).get(`${support}/requesters/search?q=mia`)
    expect([role, changed.status, found.status]).toEqual([role, ...(may ? [200, 200] : [refused, refused])])
  }
})

test('another user becomes the requester with their organization, gets the answer, and undo brings the first one back', async () => {
  const { as, id, org_id, other, karl, mia, change, show, answer } = await withTwo()
  const before = await show()
  const done = await change({ user_id: mia })
  expect(done).toMatchObject({
    status: 200,
    message: 'Requester changed to Mia.',
    data: { user_id: mia, requester: 'Mia', org_id: other },
  })
  const after = await show()
  expect(after).toMatchObject({ requester_email: 'mia@aalto.example', version: before.version + 1 })
  // Karl's message stays his.
  expect(after.messages).toMatchObject([{ who: 'Karl', author: 'other' }])
  const named = async () =>
    (await as('support').get(`/admin/records/ticket/${id}/history`))['data']
      .flatMap(({ changes }: { changes: { field: string }[] }) => changes)
      .filter(({ field }: { field: string }) => field === 'requester')
  expect(await named()).toEqual([{ field: 'requester', before: 'Karl', after: 'Mia' }])
  expect(await answer()).toEqual(['mia@aalto.example'])
  const { operation } = await change({ user_id: karl })
  expect(await show()).toMatchObject({ user_id: karl, org_id })
  expect(
    (await as('support').post(`/admin/operations/${(operation as { id: number }).id}/undo`)).status,
  ).toBe(200)
  expect(await show()).toMatchObject({ user_id: mia, org_id: other, requester: 'Mia' })
  expect(await named()).toContainEqual({ field: 'requester', before: 'Karl', after: 'Mia' })
  expect(await named()).toHaveLength(3)
})

test('a caller gets an email address later, to which the answer goes', async () => {
  const { org_id, change, show, file, answer } = await withTwo()
  const id = await file({ org_id, sender_name: 'Anna Reuter', sender_phone: '+49 30 5550 1877' })
  expect(await show(id)).toMatchObject({ sender_name: 'Anna Reuter', sender_email: null })
  const anna = { sender_name: 'Anna Reuter', sender_phone: '+49 30 5550 1877' }
  expect(await change({ ...anna, sender_email: 'anna@pinewald.example' }, id)).toMatchObject({
    status: 200,
    data: { requester: 'Anna Reuter', user_id: 0, org_id },
  })
  expect(await show(id)).toMatchObject({
    requester_email: 'anna@pinewald.example',
    requester_phone: '+49 30 5550 1877',
    messages: [{ who: 'Anna Reuter', author: 'requester' }],
  })
  expect(await answer(id)).toEqual(['anna@pinewald.example'])
})

test('a mistyped address is corrected, also to that of a user; a message that was written down stays the requester’s', async () => {
  const { other, mia, change, show, file, answer } = await withTwo()
  const id = await file({ sender_name: 'Mia', sender_email: 'mia@alto.example' })
  await change({ sender_name: 'Mia', sender_email: 'mia@home.example' }, id)
  expect(await show(id)).toMatchObject({
    user_id: 0,
    requester_email: 'mia@home.example',
    messages: [{ author: 'requester' }],
  })
  expect(await change({ sender_name: 'Mia', sender_email: 'Mia@Aalto.example' }, id)).toMatchObject({
    data: { user_id: mia, org_id: other },
  })
  expect((await show(id)).messages).toMatchObject([{ author: 'requester' }])
  expect(await answer(id)).toEqual(['mia@aalto.example'])
})

test('an email that only gives the requester’s name is not theirs', async () => {
  const { db, change, show, file } = await withTwo()
  const id = await file({ sender_name: 'Anna Reuter', sender_email: 'anna@pinwald.example' })
  await db
    .insertInto('ticket_messages')
    .values({
      ticket_id: id,
      sent_by_admin: false,
      sender_name: 'Anna Reuter',
      sender_email: 'anna@elsewhere.example',
      message_id: '<one@elsewhere.example>',
      message: '<p>Send me the password.</p>',
    })
    .execute()
  await change({ sender_name: 'Anna Reuter', sender_email: 'anna@pinewald.example' }, id)
  expect((await show(id)).messages).toMatchObject([{ author: 'requester' }, { author: 'other' }])
})

test('the organization that was set stays, and an address of a user of another one is not linked', async () => {
  const { org_id, change, file } = await withTwo()
  const id = await file({ org_id, sender_name: 'Anna Reuter' })
  expect(await change({ sender_name: 'Mia', sender_email: 'mia@aalto.example' }, id)).toMatchObject({
    message:
      'Requester changed to Mia. This address belongs to a user of another organization, so it isn’t linked to them.',
    data: { user_id: 0, org_id },
  })
})

test('an invalid requester is refused at its field', async () => {
  const { as, db, change, show, mia } = await withTwo()
  const hidden = await enterOrganization(db, { name: 'Hidden' }, [2])
  const kim = await enterUser(db, hidden, 'Kim', { email: 'kim@hidden.example' })
  await db.deleteFrom('staff_products').where('product_id', '=', 2).execute()
  await db
    .updateTable('customer_users')
    .set({ banned_at: new Date().toISOString() })
    .where('id', '=', mia)
    .execute()
  const before = await show()
  for (const [body, field] of [
    [{}, 'sender_name'],
    [{ sender_phone: '+49 30 5550 1877' }, 'sender_name'],
    [{ sender_name: 'Anna', sender_email: 'anna' }, 'sender_email'],
    [{ sender_name: 'Anna', sender_email: 'mia@aalto.example' }, 'sender_email'],
    [{ sender_name: 'x'.repeat(201) }, 'sender_name'],
    [{ user_id: mia }, 'user_id'],
    [{ user_id: kim }, 'user_id'],
    [{ user_id: 999_999 }, 'user_id'],
    [{ user_id: 'Mia' }, 'user_id'],
  ] as const)
    expect([body, await change(body)]).toMatchObject([
      body,
      { status: 422, errors: { [field]: [expect.any(String)] } },
    ])
  expect(await show()).toEqual(before)
  const found = async (q: string) =>
    (await as('support').get(`${support}/requesters/search?q=${encodeURIComponent(q)}`))['data']
  expect([await found('kim'), (await found('karl@pine'))[0]]).toEqual([
    [],
    expect.objectContaining({ name: 'Karl', organization: 'Pinewald Hotel' }),
  ])
})

test('someone who called before is found by name and by number in any format, with their newest ticket', async () => {
  const { as, db } = await startTestApp()
  const org = await enterOrganization(db, { name: 'Beau Rivage' })
  const hidden = await enterOrganization(db, { name: 'Elsewhere' }, [2])
  await db.deleteFrom('staff_products').where('product_id', '=', 2).execute()
  const zoe = { sender_name: 'Zoë-Françoise Müller', sender_phone: '+41 (0)22 716 66 66' }
  await enterTicket(db, { title: 'Older', ...zoe, status: 4, organization_id: org })
  const newer = await enterTicket(db, { title: 'Newer', ...zoe, organization_id: org })
  await enterTicket(db, { title: 'Other', sender_name: 'Zoë Hidden', organization_id: hidden })
  const { id: gone } = await enterTicket(db, { title: 'Gone', sender_name: 'Zoë Gone' })
  await db
    .updateTable('tickets')
    .set({ deleted_at: '2026-03-01T00:00:00Z', deleted_by: 1 })
    .where('id', '=', gone)
    .execute()
  const callers = async (q: string) =>
    (await as('support').get(`${support}/requesters/search?q=${encodeURIComponent(q)}`))['callers']
  for (const q of ['zoe', 'muller franc', '716 66 66', '0227166666', '+41 22 716 66 66'])
    expect([q, await callers(q)]).toEqual([
      q,
      [
        {
          name: zoe.sender_name,
          phone: zoe.sender_phone,
          email: null,
          org_id: org,
          organization: 'Beau Rivage',
          ticket: { id: newer.id, title: 'Newer', is_open: true },
        },
      ],
    ])
  expect([await callers('nobody'), await callers('')]).toEqual([[], []])
})

test('the requester of an admin user’s own request, of a merged ticket, and of one in the trash stays', async () => {
  const { as, db, id, mia, change } = await withTwo()
  const own = await enterTicket(db, { staff_id: as('editor').id })
  expect(await change({ user_id: mia }, own.id)).toMatchObject({
    status: 409,
    message: 'This is an admin user’s own request. Its requester can’t be changed.',
  })
  const { id: into } = await enterTicket(db)
  await as('support').post(`${support}/ticket/${id}/merge`, { into })
  expect(await change({ user_id: mia })).toMatchObject({
    status: 409,
    message: `Ticket #${id} was merged into #${into}.`,
  })
  await as('super_admin').post('/admin/records/ticket/trash', { ids: [into] })
  expect((await change({ user_id: mia }, into)).status).toBe(404)
})

test('a requester that someone else changed meanwhile is a conflict; other changes don’t matter', async () => {
  const { as, id, org_id, karl, mia, change, show } = await withTwo()
  const { version } = await show()
  const base = {
    customer_user_id: karl,
    sender_name: '',
    sender_phone: '',
    sender_email: null,
    organization_id: org_id,
  }
  await as('support').post(`${support}/change-ticket-status/${id}/1`)
  expect((await change({ user_id: mia, version })).status).toBe(409)
  expect((await change({ user_id: mia, version, base })).status).toBe(200)
  expect((await change({ sender_name: 'Anna', version, base }, id, 'csm')).status).toBe(409)
  expect(await show()).toMatchObject({ user_id: mia })
})
