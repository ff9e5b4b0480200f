import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { enterTask } from '#features/tasks/tasks/server/tasks.testing.ts'

const notices = '/admin/support/task-notices'

/** A delivered task of an incident with tickets of two users, of whom one has two, and of a caller without an address. */
async function withTask() {
  const started = await startTestApp()
  const { as, db } = started
  const org = await enterOrganization(db)
  const [jana, pieter] = [await enterUser(db, org, 'Jana'), await enterUser(db, org, 'Pieter')]
  const enter = async (title: string, customer_user_id?: number) =>
    (
      await enterTicket(db, {
        title,
        ...(customer_user_id === undefined ? {} : { organization_id: org, customer_user_id }),
      })
    ).id
  const head = await enter('Own wash programs', jana)
  const ids = [head, await enter('Programs per hotel', pieter), await enter('And again', jana)]
  const phoned = await enter('By phone')
  await as('support').post('/admin/support/change-tickets', {
    selection: { ids: [ids[1]!, ids[2]!, phoned] },
    change: { kind: 'incident', incident_id: head },
  })
  const description = '<p>Open Settings and choose the customer.</p>'
  const task = await enterTask(db, { title: 'Wash programs', status: 4, ticket_id: head, description })
  const show = async (who = 'support') => (await as(who).get(`${notices}/${task}`))['data']
  const stateOf = async (id: number) =>
    (await show()).customers.find((one: { ticket_id: number }) => one.ticket_id === id).notice?.state ?? null
  const send = (id: number, body: object = {}, who = 'support') =>
    as(who).post(`${notices}/${task}/${id}/send`, { message: '<p>It is done.</p>', ...body })
  const skip = (id: number, reason = 'Called', who = 'support') =>
    as(who).post(`${notices}/${task}/${id}/skip`, { reason })
  const undo = (id: number) => as('support').post(`${notices}/${task}/${id}/undo`)
  const setStatus = (status: number) => as('admin').post(`/common/task/change-status/${task}`, { status })
  const isNotified = async () => (await show()).is_notified as boolean
  const messagesOf = async (id: number): Promise<{ message: string }[]> =>
    (await as('support').get(`/admin/support/ticket/${id}`))['data'].messages
  return {
    ...started,
    ...{ org, head, ids, second: ids[1]!, third: ids[2]!, phoned, task },
    ...{ show, stateOf, send, skip, undo, setStatus, isNotified, messagesOf },
  }
}

test('messages about a task are for roles that notify and open tickets', async () => {
  const { as, task, head, skip, show } = await withTask()
  const acts = ['preview', 'send', 'skip', 'undo']
  for (const role of [...roleIds, undefined]) {
    const grants: readonly string[] = role === undefined ? [] : defaultGrants[role]
    const may = grants.includes('view_task_notify') && grants.includes('all_tickets_view')
    const refused = role === undefined ? 401 : 403
    const { status } = await as(role).get(`${notices}/${task}`)
    expect([role, status]).toEqual([role, may ? 200 : refused])
    for (const act of acts) {
      // The input is checked before access that can depend on it.
      const text = may ? '' : 'x'
      const written = await as(role).post(`${notices}/${task}/${head}/${act}`, {
        message: text,
        reason: text,
      })
      const expected = !may ? refused : act === 'undo' ? 409 : 422
      expect([role, act, written.status]).toEqual([role, act, expected])
    }
  }
  expect((await skip(head)).status).toBe(200)
  expect((await show()).customers).toHaveLength(4)
})

test('the page names each customer, why one can’t be reached, and the message to start from', async () => {
  const { as, db, show, head, second, third, phoned, task } = await withTask()
  const { customers, ...about } = await show()
  expect(about).toMatchObject({ id: task, is_delivered: true, is_notified: false, hidden: 0 })
  expect(customers.map((one: { ticket_id: number }) => one.ticket_id)).toEqual([head, second, third, phoned])
  expect(customers[0]).toMatchObject({ why: null, same_as: null, words: 'It shows nothing.', notice: null })
  expect(customers[0].subject).toBe(`Re: Own wash programs [#${head}]`)
  expect(customers[0].proposal).toContain('Good news about “Own wash programs”')
  expect(customers[0].proposal).toContain('Open Settings and choose the customer.')
  expect(customers[2]).toMatchObject({ same_as: head })
  expect(customers[3]).toMatchObject({ why: 'no address', same_as: null })
  const preview = await as('support').post(`${notices}/${task}/${head}/preview`, { message: '<p>Done!</p>' })
  expect(preview['data']).toMatchObject({ subject: `Re: Own wash programs [#${head}]` })
  expect(preview['data'].html).toContain('Done!')
  expect((await as('support').get(`${notices}/999999`)).status).toBe(404)
  const stranger = (await enterTicket(db)).id
  expect(await as('support').post(`${notices}/${task}/${stranger}/skip`, { reason: 'No' })).toMatchObject({
    status: 404,
  })
})

test('the flag is set after the last customer, and a requester with two tickets gets one message', async () => {
  const { send, skip, stateOf, isNotified, head, second, third, phoned, messagesOf } = await withTask()
  expect(await send(phoned)).toMatchObject({
    status: 409,
    message: expect.stringContaining('No email address'),
  })
  expect(await send(head, { status: 5 })).toMatchObject({ status: 200, is_notified: false })
  expect((await messagesOf(head)).at(-1)!.message).toContain('It is done.')
  expect([await stateOf(head), await stateOf(third)]).toEqual(['sent', 'skipped'])
  expect(await messagesOf(third)).toHaveLength(1)
  expect(await skip(phoned, '')).toMatchObject({ status: 422, errors: { reason: expect.anything() } })
  expect(await skip(phoned)).toMatchObject({ status: 200, is_notified: false })
  expect(await isNotified()).toBe(false)
  expect(await send(second)).toMatchObject({
    status: 200,
    is_notified: true,
    message: expect.stringContaining('The task is set as notified.'),
  })
  expect(await isNotified()).toBe(true)
})

test('of two admin users who send a message concurrently, one sends it, and the other learns who did', async () => {
  const { send, head, messagesOf } = await withTask()
  const both = await Promise.all([send(head), send(head, {}, 'admin')])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect(both.find(({ status }) => status === 409)!['message']).toMatch(/already sent Jana.* a message/)
  expect(await messagesOf(head)).toHaveLength(2)
  expect((await send(head)).status).toBe(409)
})

test('concurrent messages to two tickets of one requester are one message', async () => {
  const { send, head, third, messagesOf } = await withTask()
  const both = await Promise.all([send(head), send(third, {}, 'admin')])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect((await messagesOf(head)).length + (await messagesOf(third)).length).toBe(3)
})

test('a task that was reopened meanwhile sends nothing; delivered again, each customer is asked about again', async () => {
  const { send, skip, setStatus, show, head, messagesOf } = await withTask()
  await send(head)
  await setStatus(6)
  const refused = { status: 409, message: 'This task is no longer delivered: its status is In QA.' }
  expect(await skip(head)).toMatchObject(refused)
  expect(await send(head)).toMatchObject(refused)
  expect(await messagesOf(head)).toHaveLength(2)
  await setStatus(4)
  expect((await show()).customers[0]).toMatchObject({ notice: null, earlier: { state: 'sent' } })
  expect((await send(head)).status).toBe(200)
})

test('skipping is undone, which clears the flag', async () => {
  const { send, skip, undo, isNotified, stateOf, head, second, third, phoned } = await withTask()
  await skip(phoned)
  expect((await undo(phoned)).status).toBe(200)
  expect(await stateOf(phoned)).toBeNull()
  expect(await undo(phoned)).toMatchObject({ status: 409 })
  await send(head)
  expect(await undo(third)).toMatchObject({ status: 409, message: expect.stringContaining(`in #${head}`) })
  expect(await undo(head)).toMatchObject({ status: 409 })
  await skip(phoned)
  await skip(second, 'On vacation')
  expect(await isNotified()).toBe(true)
  await undo(phoned)
  expect(await isNotified()).toBe(false)
})

test('a message whose email is canceled was not sent: its customer is to be notified again', async () => {
  const { as, send, skip, stateOf, isNotified, head, second, third, phoned, messagesOf } = await withTask()
  await skip(phoned)
  await skip(second)
  const { data } = await send(head)
  expect(await isNotified()).toBe(true)
  expect((await as('support').post(`/admin/mail/${data.mail_id}/call-off`)).status).toBe(200)
  expect([await stateOf(head), await stateOf(third), await isNotified()]).toEqual([null, null, false])
  expect(await messagesOf(head)).toHaveLength(1)
  expect((await send(head)).status).toBe(200)
})
