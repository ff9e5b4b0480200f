import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

const support = '/admin/support'

/** An organization with four open tickets of one user. */
async function withTickets() {
  const started = await startTestApp()
  const { as, db } = started
  const org = await enterOrganization(db)
  const user = await enterUser(db, org, 'Jana')
  const enter = async (title: string) =>
    (await enterTicket(db, { title, organization_id: org, customer_user_id: user })).id
  const head = await enter('Towel tags aren’t read')
  const ids = [
    await enter('Towel tags are not read'),
    await enter('Counts are too low'),
    await enter('Beeps'),
  ]
  const change = (change: object, chosen: readonly number[], who = 'support') =>
    as(who).post(`${support}/change-tickets`, { selection: { ids: chosen }, change })
  const link = (chosen: readonly number[], incident_id: number | null = head, who = 'support') =>
    change({ kind: 'incident', incident_id }, chosen, who)
  const show = async (id: number) => (await as('support').get(`${support}/ticket/${id}`))['data']
  const incidentOf = async (id: number) => (await show(id)).incident_id
  const answer = (ticket_ids: readonly number[], more: object = {}) =>
    as('support').post(`${support}/ticket/${head}/incident-answer`, {
      message: '<p>We know why.</p>',
      ticket_ids,
      ...more,
    })
  const undo = (id: number) => as('support').post(`/admin/operations/${id}/undo`)
  const history = async (
    id: number,
  ): Promise<{ act: string; changes: { field: string; after: unknown }[] }[]> =>
    (await as('support').get(`/admin/records/ticket/${id}/history`))['data']
  return { ...started, org, user, head, ids, link, change, show, incidentOf, answer, undo, history }
}

test('incidents are for roles that can open tickets', async () => {
  const { as, head, ids } = await withTickets()
  for (const role of [...roleIds, undefined]) {
    const may = role !== undefined && defaultGrants[role].includes('all_tickets_view')
    const refused = role === undefined ? 401 : 403
    const to = (path: string) => `${support}/ticket/${head}/${path}`
    for (const path of ['incident', 'incident-suggestions']) {
      const { status } = await as(role).get(to(path))
      expect([role, path, status]).toEqual([role, path, may ? 200 : refused])
    }
    const { status } = await as(role).post(to('incident-answer'), { message: '<p>Hi</p>', ticket_ids: [] })
    expect([role, status]).toEqual([role, may ? 422 : refused])
    const preview = await as(role).post(to('incident-preview'), { message: '<p>Hi</p>', ticket_id: 9999 })
    expect([role, preview.status]).toEqual([role, may ? 422 : refused])
    const note = await as(role).post(to('incident-note'), { support_comment: 'Hi', ticket_ids: [9999] })
    expect([role, note.status]).toEqual([role, may ? 422 : refused])
    const body = { selection: { ids }, change: { kind: 'incident', incident_id: 9999 } }
    const linked = await as(role).post(`${support}/change-tickets`, body)
    expect([role, linked.status]).toEqual([role, may ? 422 : refused])
  }
})

test('linked tickets name their incident, which lists them, and both have it in their history', async () => {
  const { as, head, ids, link, show, history } = await withTickets()
  expect(await link(ids)).toMatchObject({
    status: 200,
    message: expect.stringContaining(`Linked to incident #${head}`),
  })
  expect(await show(head)).toMatchObject({ incident_id: null, linked_count: 3 })
  expect(await show(ids[0]!)).toMatchObject({ incident_id: head, linked_count: 0 })
  for (const id of [head, ids[1]!])
    expect((await as('support').get(`${support}/ticket/${id}/incident`))['data']).toMatchObject({
      head: { id: head, in_trash: false, why: null },
      linked: ids.map((linked) => ({ id: linked, why: null })),
    })
  const listed = async (incident: string) =>
    (await as('support').get(`${support}/ticket?incident=${incident}&column=id&direction=asc`))['data'].map(
      ({ id }: { id: number }) => id,
    )
  expect([await listed('heads'), await listed('linked')]).toEqual([[head], ids])
  const fieldsOf = async (id: number) =>
    (await history(id)).flatMap(({ changes }) => changes.map(({ field, after }) => [field, after]))
  expect(await fieldsOf(head)).toContainEqual(['linked_tickets', ids.map((id) => `#${id}`)])
  expect(await fieldsOf(ids[0]!)).toContainEqual(['incident_id', head])
})

test('linking, then undo, is as before, and the incident’s history says so', async () => {
  const { ids, head, link, show, incidentOf, undo, history } = await withTickets()
  const { operation } = await link(ids)
  expect((await undo(operation.id)).status).toBe(200)
  expect(await show(head)).toMatchObject({ linked_count: 0 })
  expect(await Promise.all(ids.map(incidentOf))).toEqual([null, null, null])
  expect((await history(head))[0]!.changes.map(({ field }) => field)).toContain('linked_tickets')
})

test('unlinking, then undo, links again', async () => {
  const { ids, head, link, incidentOf, undo } = await withTickets()
  await link(ids)
  const { operation } = await link([ids[0]!], null)
  expect(await incidentOf(ids[0]!)).toBeNull()
  await undo(operation.id)
  expect(await incidentOf(ids[0]!)).toBe(head)
})

test('a ticket is linked neither to itself nor to a linked one, and an incident to none', async () => {
  const { ids, head, link, incidentOf } = await withTickets()
  await link([ids[0]!])
  const field = 'change.incident_id'
  expect(await link([head])).toMatchObject({ status: 422, errors: { [field]: ['It is the incident.'] } })
  expect(await link([ids[1]!], ids[0])).toMatchObject({
    status: 422,
    errors: { [field]: [`Ticket #${ids[0]} is part of incident #${head}. Choose #${head}.`] },
  })
  expect(await link([head], ids[1])).toMatchObject({
    status: 422,
    errors: { [field]: ['Other tickets are linked to it.'] },
  })
  expect(await link([head, ids[2]!], ids[1])).toMatchObject({
    status: 200,
    left_out: [{ id: head, why: 'Other tickets are linked to it.' }],
  })
  expect([await incidentOf(head), await incidentOf(ids[2]!)]).toEqual([null, ids[1]])
})

test('the redo of a link that no longer fits is refused', async () => {
  const { as, ids, link, incidentOf, undo } = await withTickets()
  const { operation } = await link([ids[0]!])
  await undo(operation.id)
  await link([ids[1]!], ids[0])
  const redone = await as('support').post(`/admin/operations/${operation.id}/redo`)
  expect(redone).toMatchObject({
    redone: 0,
    message: expect.stringContaining('Other tickets are linked to it.'),
  })
  expect(await incidentOf(ids[0]!)).toBeNull()
})

test('two tickets linked to each other at the same time: one is linked, the other answers 422', async () => {
  const { head, ids, link, incidentOf } = await withTickets()
  const [other] = ids as [number]
  const replies = await Promise.all([link([head], other), link([other], head, 'csm')])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422])
  expect([await incidentOf(head), await incidentOf(other)].filter((of) => of !== null)).toHaveLength(1)
})

test('an incident of a product that the user doesn’t have doesn’t exist for them', async () => {
  const { as, db, head, ids, link } = await withTickets()
  const other = await enterTicket(db, {
    organization_id: await enterOrganization(db, { name: 'Other' }, [4]),
    sender_email: 'jo@other.example',
  })
  const withdraw = db.deleteFrom('staff_products').where('staff_id', '=', as('support').id)
  await link([other.id])
  await withdraw.where('product_id', '=', 4).execute()
  expect(await link(ids, other.id)).toMatchObject({
    status: 422,
    errors: { 'change.incident_id': ['This ticket doesn’t exist.'] },
  })
  expect((await as('support').get(`${support}/ticket/${other.id}/incident`)).status).toBe(404)
  expect((await as('support').get(`${support}/ticket/${head}/incident`))['data'].linked).toEqual([])
  expect((await as('support').get(`${support}/ticket/${head}`))['data'].linked_count).toBe(0)
  expect(
    (
      await as('support').post(`${support}/ticket/${head}/incident-answer`, {
        message: '<p>Hi</p>',
        ticket_ids: [other.id],
      })
    ).status,
  ).toBe(422)
})

test('an answer reaches each ticket once, and names the tickets that it can’t reach', async () => {
  const { db, head, ids, link, answer, show, user } = await withTickets()
  const banned = (await enterTicket(db, { title: 'Banned', customer_user_id: user })).id
  const silent = (await enterTicket(db, { title: 'By phone' })).id
  const apart = (await enterTicket(db, { title: 'Apart', sender_email: 'jo@other.example' })).id
  await link([...ids, banned, silent])
  const own = await enterUser(db, await enterOrganization(db, { name: 'Other' }), 'Bert')
  await db.updateTable('tickets').set({ customer_user_id: own }).where('id', '=', banned).execute()
  await db
    .updateTable('customer_users')
    .set({ banned_at: new Date().toISOString() })
    .where('id', '=', own)
    .execute()
  const reply = await answer([head, ...ids, ids[0]!, banned, silent, apart])
  expect(reply).toMatchObject({
    status: 200,
    message: 'Sending 4 replies.',
    left_out: [
      { id: banned, why: 'The requester is banned.' },
      { id: silent, why: 'The requester has no email address.' },
      { id: apart, why: 'It is no longer part of the incident.' },
    ],
  })
  expect(reply['data'].sent.map(({ id }: { id: number }) => id)).toEqual([head, ...ids])
  const counts = await Promise.all(
    [head, ...ids, banned, silent, apart].map(async (id) => (await show(id)).messages.length),
  )
  expect(counts).toEqual([2, 2, 2, 2, 1, 1, 1])
  const mails = await db.selectFrom('mails').select(['record_id', 'kind']).orderBy('record_id').execute()
  expect(mails).toEqual([head, ...ids].map((record_id) => ({ record_id, kind: 'ticket-reply' })))
})

test('variables get the values of each ticket, and one without a value is left out', async () => {
  const { db, head, ids, link, answer, show } = await withTickets()
  const unnamed = (await enterTicket(db, { title: 'Unnamed', sender_email: 'jo@other.example' })).id
  await link([ids[0]!, unnamed])
  expect(
    await answer([head, ids[0]!, unnamed], { message: '<p>{{first_name}}, about {{ticket_number}}.</p>' }),
  ).toMatchObject({
    message: 'Sending 2 replies.',
    left_out: [{ id: unnamed, why: 'It has no value for a variable of the text.' }],
  })
  for (const id of [head, ids[0]!])
    expect((await show(id)).messages[1].message).toContain(`Jana, about #${id}.`)
})

test('the preview is the email that a ticket gets, and says why one gets none', async () => {
  const { as, db, head, ids, link, answer } = await withTickets()
  const silent = (await enterTicket(db, { title: 'By phone' })).id
  const unnamed = (await enterTicket(db, { title: 'Unnamed', sender_email: 'jo@other.example' })).id
  await link([ids[0]!, silent, unnamed])
  const preview = (ticket_id: number, message: string) =>
    as('support').post(`${support}/ticket/${head}/incident-preview`, { message, ticket_id })
  const message = '<p>{{first_name}}, we know why.</p>'
  const { data } = await preview(ids[0]!, message)
  await answer([ids[0]!], { message })
  const [mail] = await db.selectFrom('mails').select(['subject', 'html']).execute()
  expect(data).toEqual({ to: expect.stringContaining('@'), ...mail })
  expect(data.html).toContain('Jana, we know why.')
  for (const [ticket, why] of [
    [silent, 'The requester has no email address.'],
    [ids[1]!, 'It is no longer part of the incident.'],
    [unnamed, 'It has no value for a variable of the text.'],
  ] as const)
    expect(await preview(ticket, message)).toMatchObject({ status: 422, errors: { ticket_id: [why] } })
})

test('a saved reply in an answer to all is for each ticket as in a single reply, and its use counts once', async () => {
  const { as, db, head, ids, link, answer, show } = await withTickets()
  const other = await enterOrganization(db, { name: 'Solmere Spa' })
  const user = await enterUser(db, other, 'Mateo')
  const far = (await enterTicket(db, { title: 'A & B', organization_id: other, customer_user_id: user })).id
  await link([ids[0]!, far])
  const staged = await as('support').send('POST', '/files/stage', undefined, {
    form: { file: { name: 'sheet.pdf', bytes: '%PDF-1.4\n%%EOF' } },
  })
  const file = staged['data'].id as number
  const created = await as('support').post(`${support}/saved-replies`, {
    name: 'Count',
    content:
      '<p>Hi {{first_name}} ({{full_name}}) of {{organization}}, {{ticket_number}} “{{ticket_title}}”.</p><p>{{my_name}}</p><p>{{signature}}</p>',
    file_ids: [file],
  })
  const { id, content: message } = created['data'] as { id: number; content: string }
  const answered = [head, ids[0]!, far]
  const previews: unknown[] = []
  for (const ticket_id of answered) {
    const body = { message, ticket_id, status: 4 }
    const { data } = await as('support').post(`${support}/ticket/${head}/incident-preview`, body)
    previews.push({ subject: data.subject, html: data.html })
  }
  const more = { message, status: 4, file_ids: [file], saved_reply_ids: [id, id] }
  expect(await answer(answered, more)).toMatchObject({ message: 'Sending 3 replies.', left_out: [] })
  const mails = await db.selectFrom('mails').select(['subject', 'html']).orderBy('record_id').execute()
  expect(mails).toEqual(previews)
  expect(mails[2]!.html).toContain(`Hi Mateo`)
  expect(mails[2]!.html).toContain(`of Solmere Spa, #${far} “A &amp; B”.`)
  for (const ticket of answered) {
    const alone = await as('support').get(`${support}/ticket/${ticket}/saved-replies/${id}`)
    const sent = (await show(ticket)).messages[1]
    expect(sent).toMatchObject({ message: alone['data'].content, attachments: [{ id: file }] })
  }
  expect((await as('support').get(`${support}/saved-replies/${id}`))['data']).toMatchObject({
    uses: 1,
    files: [{ id: file }],
  })
})

test('a ticket gets its own text instead of the message', async () => {
  const { head, ids, link, answer, show } = await withTickets()
  await link(ids)
  const texts = [
    { ticket_id: ids[0]!, message: '<p>Only for you, {{first_name}}.</p>' },
    { ticket_id: ids[2]!, message: '<p>It gets no answer.</p>' },
  ]
  expect(await answer([head, ids[0]!], { texts })).toMatchObject({ message: 'Sending 2 replies.' })
  const sent = async (id: number) => (await show(id)).messages[1]?.message
  expect(await sent(head)).toContain('We know why.')
  expect(await sent(ids[0]!)).toBe('<p>Only for you, Jana.</p>')
  expect(await sent(ids[2]!)).toBeUndefined()
  expect(await answer([head], { texts: [{ ticket_id: head, message: '<p> </p>' }] })).toMatchObject({
    status: 422,
    errors: { 'texts.0.message': ['This field is required.'] },
  })
  expect(await answer([head], { texts: [texts[0], texts[0]] })).toMatchObject({
    status: 422,
    errors: { texts: ['Send one text per ticket.'] },
  })
})

test('a note is added to each chosen ticket of an incident', async () => {
  const { as, head, ids, link, show } = await withTickets()
  await link(ids.slice(0, 2))
  const note = (ticket_ids: readonly number[], support_comment = 'Fixed in 4.0.3.') =>
    as('support').post(`${support}/ticket/${head}/incident-note`, { support_comment, ticket_ids })
  expect(await note([head, ids[0]!, ids[0]!, ids[2]!])).toMatchObject({
    status: 200,
    message: 'Note added to 2 tickets.',
    left_out: [{ id: ids[2], why: 'It is no longer part of the incident.' }],
  })
  const notes = async (id: number) =>
    (await show(id)).comments.map((one: { support_comment: string }) => one.support_comment)
  expect(await Promise.all([head, ...ids].map(notes))).toEqual([
    ['Fixed in 4.0.3.'],
    ['Fixed in 4.0.3.'],
    [],
    [],
  ])
  expect(await note([ids[2]!])).toMatchObject({
    status: 422,
    errors: { ticket_ids: ['It is no longer part of the incident.'] },
  })
  expect((await note([head], ' ')).status).toBe(422)
})

test('the note of an incident is on its linked tickets, and its edit can be undone', async () => {
  const { as, head, ids, link, show, undo } = await withTickets()
  await link(ids)
  const edit = (incident_note: string) =>
    as('support').post(`${support}/ticket/${head}/update`, { incident_note })
  const noteOn = async (id: number) =>
    (await as('support').get(`${support}/ticket/${id}/incident`))['data'].head.incident_note
  const { operation } = await edit('Count by hand until 4.0.3.')
  expect(await Promise.all([head, ...ids].map(noteOn))).toEqual(Array(4).fill('Count by hand until 4.0.3.'))
  expect((await undo(operation.id)).status).toBe(200)
  expect(await noteOn(ids[0]!)).toBe('')
  expect(await edit('x'.repeat(301))).toMatchObject({
    status: 422,
    errors: { incident_note: [expect.any(String)] },
  })
  expect(await show(head)).toMatchObject({ linked_count: 3 })
})

test('undoing the emails of an answer reverts each reply with its status', async () => {
  const { as, head, ids, link, answer, show } = await withTickets()
  await link(ids)
  const { data } = await answer([head, ids[0]!], { status: 3 })
  expect([(await show(head)).status, (await show(ids[0]!)).status, (await show(ids[1]!)).status]).toEqual([
    3, 3, 0,
  ])
  for (const { mail_id } of data.sent)
    expect((await as('support').post(`/admin/mail/${mail_id}/call-off`)).status).toBe(200)
  for (const id of [head, ids[0]!])
    expect(await show(id)).toMatchObject({ status: 0, messages: [{ sent_by_admin: false }] })
})

test('an answer to no ticket, or without a text, is refused at its field', async () => {
  const { db, ids, link, answer } = await withTickets()
  await link(ids)
  expect(await answer([])).toMatchObject({
    status: 422,
    errors: { ticket_ids: ['Choose at least one ticket.'] },
  })
  expect(await answer(ids, { message: '<p> </p>' })).toMatchObject({
    status: 422,
    errors: { message: ['This field is required.'] },
  })
  const silent = (await enterTicket(db, { title: 'By phone' })).id
  await link([silent])
  expect(await answer([silent])).toMatchObject({
    status: 422,
    errors: { ticket_ids: ['The requester has no email address.'] },
  })
})

test('tickets are closed and reopened together, except one that was changed in between', async () => {
  const { as, head, ids, link, change, show, undo } = await withTickets()
  await link(ids)
  const { operation } = await change({ kind: 'status', status: 5 }, [head, ...ids])
  const statuses = () => Promise.all([head, ...ids].map(async (id) => (await show(id)).status))
  expect(await statuses()).toEqual([5, 5, 5, 5])
  await as('csm').post(`${support}/change-ticket-status/${ids[1]}/1`)
  expect(await undo(operation.id)).toMatchObject({
    status: 200,
    undone: 3,
    skipped: [expect.stringMatching(/^#\d+ Counts are too low: /)],
  })
  expect(await statuses()).toEqual([0, 0, 1, 0])
})

test('an incident in the trash keeps its links, and its linked tickets say so', async () => {
  const { as, head, ids, link, incidentOf } = await withTickets()
  await link(ids)
  const { operation } = await as('admin').send('DELETE', `${support}/ticket/${head}`)
  expect((await as('support').get(`${support}/ticket/${ids[0]}/incident`))['data']).toMatchObject({
    head: { id: head, in_trash: true },
  })
  expect(await incidentOf(ids[0]!)).toBe(head)
  await as('admin').post(`/admin/operations/${operation.id}/undo`)
  await as('admin').send('DELETE', `${support}/ticket/${ids[0]}`)
  const { data } = await as('support').get(`${support}/ticket/${head}/incident`)
  expect(data.linked.map(({ id }: { id: number }) => id)).toEqual(ids.slice(1))
})

test('an incident isn’t merged into another ticket; a linked ticket leaves its link to the one that stays', async () => {
  const { as, db, head, ids, link, incidentOf, undo } = await withTickets()
  await link(ids.slice(0, 2))
  const merge = (from: number, into: number) =>
    as('support').post(`${support}/ticket/${from}/merge`, { into })
  expect(await merge(head, ids[2]!)).toMatchObject({
    status: 409,
    message: `Other tickets are linked to #${head}. Merge #${ids[2]} into #${head} instead.`,
  })
  const { operation } = await merge(ids[0]!, ids[2]!)
  expect([await incidentOf(ids[0]!), await incidentOf(ids[2]!)]).toEqual([null, head])
  expect(await undo(operation.id)).toMatchObject({ status: 200 })
  expect([await incidentOf(ids[0]!), await incidentOf(ids[2]!)]).toEqual([head, null])
  expect((await merge(ids[1]!, head)).status).toBe(200)
  expect([await incidentOf(ids[1]!), await incidentOf(head)]).toEqual([null, null])
  const silent = (await enterTicket(db, { title: 'New' })).id
  await link([silent], ids[2])
  expect((await merge(head, ids[2]!)).status).toBe(409)
})

test('similar tickets of the same product and week are suggested, and linked by no one', async () => {
  const { as, db, org, head, ids, incidentOf } = await withTickets()
  const title = 'Towel tags aren’t read'
  const old = await enterTicket(db, { title, organization_id: org })
  await db
    .updateTable('tickets')
    .set({ created_at: '2026-01-01T00:00:00Z' })
    .where('id', '=', old.id)
    .execute()
  const one = await enterTicket(db, {
    title,
    organization_id: await enterOrganization(db, { name: 'One' }, [2]),
  })
  const suggested = async (id: number) => {
    const { data } = await as('support').get(`${support}/ticket/${id}/incident-suggestions`)
    return {
      tickets: data.tickets.map((row: { id: number }) => row.id),
      incidents: data.incidents.map((row: { id: number }) => row.id),
    }
  }
  expect(await suggested(head)).toEqual({ tickets: [ids[0]], incidents: [] })
  await as('support').post(`${support}/change-tickets`, {
    selection: { ids: [ids[2]] },
    change: { kind: 'incident', incident_id: head },
  })
  expect(await suggested(ids[0]!)).toEqual({ tickets: [], incidents: [head] })
  expect(await suggested(ids[2]!)).toEqual({ tickets: [], incidents: [] })
  expect(await suggested(one.id)).toEqual({ tickets: [], incidents: [] })
  // Like a linked ticket, but not like the incident itself.
  await db.updateTable('tickets').set({ title: 'Scale shows zero' }).where('id', '=', ids[2]!).execute()
  const like = await enterTicket(db, { title: 'The scale shows zero', organization_id: org })
  expect(await suggested(like.id)).toEqual({ tickets: [], incidents: [head] })
  expect(await incidentOf(ids[0]!)).toBeNull()
})
