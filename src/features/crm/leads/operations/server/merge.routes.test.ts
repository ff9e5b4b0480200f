import { expect, test } from 'vitest'
import { startTestApp, type TestClient } from '#app/testing/start.testing.ts'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { allOfLeads, enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const at = '/admin/users'
const preview = (who: TestClient, keep: unknown, other: unknown) =>
  who.get(`${at}/merge-leads?keep=${String(keep)}&other=${String(other)}`)
const merge = (
  who: TestClient,
  keep: number,
  other: number,
  take: readonly string[] = [],
  versions: object = {},
) => who.post(`${at}/merge-leads`, { keep, other, keep_version: 1, other_version: 1, take, ...versions })

test('merging needs lead_edit; a priority and a rejection need their own permissions', async () => {
  const { as, db } = await startTestApp()
  const [keep, other] = [await enterLead(db), await enterLead(db, { color: 4, status: 8, reject_msg: 'No' })]
  const before = await allOfLeads(db)
  for (const role of roleIds.filter((one) => !defaultGrants[one].includes('lead_edit'))) {
    expect([role, (await preview(as(role), keep, other)).status]).toEqual([role, 403])
    expect([role, (await merge(as(role), keep, other)).status]).toEqual([role, 403])
  }
  expect((await merge(as(undefined), keep, other)).status).toBe(401)
  await db
    .deleteFrom('role_permissions')
    .where('role_id', '=', 2)
    .where('permission', 'in', ['lead_select_pripority', 'lead_reject'])
    .execute()
  expect(await merge(as('crm'), keep, other, ['color'])).toMatchObject({ status: 403 })
  expect(await merge(as('crm'), keep, other, ['status'])).toMatchObject({ status: 403 })
  expect(await allOfLeads(db)).toEqual(before)
  expect(await merge(as('admin'), keep, other, ['color', 'status'])).toMatchObject({
    status: 200,
    data: { color: 4, status: 8, reject_msg: 'No' },
  })
})

test('the preview shows both leads, their differences, and values that would fill a gap', async () => {
  const { as, db } = await startTestApp()
  const [keep, other] = [
    await enterLead(db, { phone: '1' }),
    await enterLead(db, { phone: '2', email: 'a@aalto.example', reference: 'A1' }),
  ]
  expect(await preview(as('crm'), keep, other)).toMatchObject({
    status: 200,
    keep: { lead_id: keep },
    other: { lead_id: other, reference: 'A1' },
    differing: ['contactName', 'reference'],
    suggested: ['reference'],
  })
})

test('the kept lead gets the chosen fields, all tags, and the details it lacks; notes and history of both are kept; undo separates them', async () => {
  const { as, db } = await startTestApp()
  const keep = await enterLead(db, {
    phone: '1',
    reference: 'K',
    details: JSON.stringify([{ label: 'Sector', value: 'Spa' }]),
  })
  const other = await enterLead(db, {
    company_name: 'Aalto Linen Oy',
    phone: '2',
    reference: 'O',
    details: JSON.stringify([
      { label: 'Sector', value: 'Hotel' },
      { label: 'Town', value: 'Oulu' },
    ]),
  })
  await db
    .insertInto('lead_tag_links')
    .values([
      { lead_id: keep, tag_id: 2 },
      { lead_id: other, tag_id: 1 },
      { lead_id: other, tag_id: 2 },
    ])
    .execute()
  await as('crm').post(`/admin/general/notes/lead/${keep}`, { note: 'Of the kept one.' })
  await as('admin').post(`/admin/general/notes/lead/${other}`, { note: 'Of the other.' })
  const both = async () => [
    (await as('crm').get(`${at}/getdemo?id=${keep}`)).data,
    (await as('crm').get(`${at}/getdemo?id=${other}`)).data,
  ]
  const demo = async (lead_id: number) =>
    (
      await db
        .insertInto('lead_demos')
        .values({ lead_id, type: 'Demo', requested_date: '2026-04-01T15:00:00Z' })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const demos = [await demo(keep), await demo(other)]
  const whose = async () =>
    (
      await db.selectFrom('lead_demos').select('lead_id').where('id', 'in', demos).orderBy('id').execute()
    ).map(({ lead_id }) => lead_id)
  const before = await both()

  const reply = await merge(as('crm'), keep, other, ['companyName', 'reference'])
  expect(reply).toMatchObject({
    status: 200,
    operation: { summary: 'Merged: 2 leads' },
    data: {
      lead_id: keep,
      companyName: 'Aalto Linen Oy',
      phone: '1',
      reference: 'O',
      tag_ids: [1, 2],
      version: 2,
      details: [
        { label: 'Sector', value: 'Spa' },
        { label: 'Town', value: 'Oulu' },
      ],
    },
  })
  expect(await as('crm').get(`${at}/getdemo?id=${other}`)).toMatchObject({ status: 404 })
  // An upcoming session is not moved to the trash with its lead.
  expect(await whose()).toEqual([keep, keep])
  expect((await as('crm').get('/admin/records/lead/trash')).data).toMatchObject([
    { id: other, note: expect.stringContaining(`merged into #${keep}`) },
  ])
  expect(
    (await as('crm').get(`/admin/general/notes/lead/${keep}`)).data.map(({ body }: { body: string }) => body),
  ).toEqual(['Of the other.', 'Of the kept one.'])
  const history = (await as('crm').get(`/admin/records/lead/${keep}/history`)).data
  // The contact of the other lead is an entry, too.
  expect(history.map(({ who }: { who: string }) => who)).toEqual([
    'Paula Ferreira',
    'Paula Ferreira',
    'Paula Ferreira',
    'Martin Keller',
    'Paula Ferreira',
  ])

  // The kept lead is merged into a third one, and everything can still be found.
  const third = await enterLead(db)
  await as('crm').post(`${at}/merge-leads`, {
    keep: third,
    other: keep,
    keep_version: 1,
    other_version: 2,
    take: [],
  })
  expect((await as('crm').get(`/admin/general/notes/lead/${third}`)).data).toHaveLength(2)
  const operations = (await as('crm').get(`${at}/lead-operations`)).data
  for (const { id } of operations)
    expect(await as('crm').post(`/admin/operations/${id}/undo`)).toMatchObject({ status: 200, skipped: [] })
  const unversioned = (leads: { version: number; updated_at: string }[]) =>
    leads.map(({ version: _, updated_at: _at, ...lead }) => lead)
  expect(unversioned(await both())).toEqual(unversioned(before))
  expect(await whose()).toEqual([keep, other])
  expect((await as('crm').get(`/admin/general/notes/lead/${keep}`)).data).toHaveLength(1)
})

test('emails and answers of a merged lead are shown with the kept one; undo separates them', async () => {
  const { as, db } = await startTestApp()
  const [keep, other] = [
    await enterLead(db, { company_name: 'Aalto Linen' }),
    await enterLead(db, { company_name: 'Aalto Oy' }),
  ]
  const mail = (lead_id: number) =>
    as('crm').post(`${at}/schedule-demo-mail`, {
      lead_id,
      lead_name: '',
      lead_email: `lead-${lead_id}@aalto.example`,
    })
  const answer = (lead_id: number, question_id: number, text: string) =>
    as('crm').post(`${at}/prospection-questions`, { lead_id, answers: [{ question_id, answer: text }] })
  await mail(keep)
  await mail(other)
  await answer(keep, 1, '400')
  await answer(other, 1, '500')
  await answer(other, 2, 'In house')
  const addresses = async (lead_id: number) =>
    (await as('crm').get(`${at}/lead-mails?lead_id=${lead_id}`)).data.map(
      ({ recipients }: { recipients: { address: string }[] }) => recipients[0]!.address,
    )
  const answers = async (lead_id: number) =>
    (await as('crm').get(`${at}/prospection-questions?lead_id=${lead_id}`)).data.slice(0, 2)
  expect(await addresses(keep)).toEqual([`lead-${keep}@aalto.example`])
  expect(await answers(keep)).toMatchObject([
    { answer: '400', merged: [] },
    { answer: '', merged: [] },
  ])

  const { operation } = await merge(as('crm'), keep, other)
  expect(await addresses(keep)).toEqual([`lead-${other}@aalto.example`, `lead-${keep}@aalto.example`])
  const given = { lead_id: other, companyName: 'Aalto Oy', who: 'Paula Ferreira' }
  expect(await answers(keep)).toMatchObject([
    { answer: '400', merged: [{ ...given, answer: '500' }] },
    { answer: '', who: null, merged: [{ ...given, answer: 'In house' }] },
  ])
  // A new email is listed first, and a new answer belongs to the kept lead.
  expect((await mail(keep)).data).toMatchObject({ record_type: 'lead', record_id: keep })
  expect((await answer(keep, 2, 'A laundry')).data[1]).toMatchObject({
    answer: 'A laundry',
    merged: [{ answer: 'In house' }],
  })

  expect(await as('crm').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({
    status: 200,
    skipped: [],
  })
  expect(await addresses(other)).toEqual([`lead-${other}@aalto.example`])
  expect(await answers(other)).toMatchObject([{ answer: '500' }, { answer: 'In house' }])
  expect(await answers(keep)).toMatchObject([{ merged: [] }, { answer: 'A laundry', merged: [] }])
})

test("a kept lead without an organization gets the other's, and returns it when the merge is undone", async () => {
  const { as, db } = await startTestApp()
  const [keep, other] = [await enterLead(db), await enterLead(db, { company_name: 'Aalto Oy' })]
  const { organization_id } = (await as('crm').post(`${at}/lead-create-organization`, { lead_id: other }))
    .data
  const organizations = () => db.selectFrom('organizations').selectAll().execute()
  const before = await organizations()
  expect((await preview(as('crm'), keep, other))['organizations']).toEqual({
    keep: null,
    other: { organization_id, name: 'Aalto Oy' },
  })

  const { data, operation } = await merge(as('crm'), keep, other, [], { other_version: 2 })
  expect(data).toMatchObject({ lead_id: keep, organization_id })
  expect(await as('crm').post(`${at}/lead-create-organization`, { lead_id: keep })).toMatchObject({
    status: 409,
  })
  const [{ changes }] = (await as('crm').get(`/admin/records/lead/${keep}/history`)).data
  expect(changes).toContainEqual({ field: 'organization_id', before: null, after: organization_id })

  expect(await as('crm').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({
    status: 200,
    skipped: [],
  })
  expect(await organizations()).toEqual(before)
  expect((await as('crm').get(`${at}/getdemo?id=${keep}`)).data).toMatchObject({ organization_id: null })
  expect((await as('crm').get(`${at}/getdemo?id=${other}`)).data).toMatchObject({ organization_id })
})

test('if both have an organization each stays, and the preview names both', async () => {
  const { as, db } = await startTestApp()
  const [keep, other] = [
    await enterLead(db, { company_name: 'Aalto Linen' }),
    await enterLead(db, { company_name: 'Aalto Oy' }),
  ]
  for (const lead_id of [keep, other]) await as('crm').post(`${at}/lead-create-organization`, { lead_id })
  const organizations = () => db.selectFrom('organizations').selectAll().orderBy('organization_id').execute()
  const before = await organizations()
  expect((await preview(as('crm'), keep, other))['organizations']).toMatchObject({
    keep: { name: 'Aalto Linen' },
    other: { name: 'Aalto Oy' },
  })
  const { data, operation } = await merge(as('crm'), keep, other, [], { keep_version: 2, other_version: 2 })
  expect(data).toMatchObject({ organization_id: before[0]!.organization_id })
  expect(await organizations()).toEqual(before)
  await as('crm').post(`/admin/operations/${operation.id}/undo`)
  expect(await organizations()).toEqual(before)
})

test("an invalid merge changes nothing: a stale version is 409 with the lead, the same lead twice 422, another product's 404", async () => {
  const { as, db } = await startTestApp()
  const [keep, other, foreign] = [
    await enterLead(db),
    await enterLead(db),
    await enterLead(db, { lead_for: 3 }),
  ]
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 3)
    .execute()
  const before = await allOfLeads(db)
  expect(await merge(as('crm'), keep, other, [], { keep_version: 2 })).toMatchObject({
    status: 409,
    current: { lead_id: keep },
  })
  expect(await merge(as('crm'), keep, other, [], { other_version: 2 })).toMatchObject({
    status: 409,
    current: { lead_id: other },
  })
  expect(await merge(as('crm'), keep, keep)).toMatchObject({ status: 422 })
  expect(await preview(as('crm'), keep, keep)).toMatchObject({ status: 422 })
  for (const wrong of ['x', '', 0])
    expect(await preview(as('crm'), keep, wrong)).toMatchObject({ status: 422 })
  for (const [one, two] of [
    [keep, foreign],
    [foreign, keep],
    [keep, 99_999],
  ] as const) {
    expect(await merge(as('crm'), one, two)).toMatchObject({ status: 404 })
    expect(await preview(as('crm'), one, two)).toMatchObject({ status: 404 })
  }
  for (const take of [['version'], ['tag_ids'], ['email'], 'all', [1], ['__proto__']])
    expect((await merge(as('crm'), keep, other, take as string[])).status).toBe(422)
  expect(await allOfLeads(db)).toEqual(before)
})

test('two users who merge the same two leads at the same time, in opposite directions: one gets a conflict', async () => {
  const { as, db } = await startTestApp()
  const [one, two] = [await enterLead(db), await enterLead(db)]
  const replies = await Promise.all([merge(as('crm'), one, two), merge(as('admin'), two, one)])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404])
  expect((await as('crm').get(`${at}/get-demo-requests`)).total).toBe(1)
})

test('a merge whose keys are now used by others is not undone completely: skipped values are named with the reason', async () => {
  const { as, db } = await startTestApp()
  const [keep, other] = [
    await enterLead(db, { reference: 'K' }),
    await enterLead(db, { reference: 'O', phone: '2' }),
  ]
  const { operation } = await merge(as('crm'), keep, other, ['reference'])
  const newcomer = await enterLead(db, { company_name: 'Newcomer', reference: 'K' })
  const before = await allOfLeads(db)
  const left = [keep, other].map(() => expect.stringMatching('Another lead now has the same external ID.'))
  expect(await as('crm').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({
    status: 200,
    message: 'Undone: 0 leads restored. 2 can’t be restored.',
    undone: 0,
    skipped: left,
  })
  expect(await allOfLeads(db)).toEqual(before)
  expect((await as('crm').get(`${at}/getdemo?id=${newcomer}`)).data).toMatchObject({
    reference: 'K',
    version: 1,
  })
})

test('the lead with more data should be kept, if they are equal the older; the status further along is used, never a rejection', async () => {
  const { as, db } = await startTestApp()
  const older = await enterLead(db, {
    phone: '1',
    email: 'a@aalto.example',
    status: 2,
    created_at: '2026-01-01T00:00:00Z',
  })
  const newer = await enterLead(db, { phone: '2', status: 5, created_at: '2026-02-01T00:00:00Z' })
  const rejected = await enterLead(db, { phone: '3', status: 8, created_at: '2026-02-02T00:00:00Z' })
  expect(await preview(as('crm'), newer, older)).toMatchObject({ better: older, suggested: [] })
  expect(await preview(as('crm'), older, newer)).toMatchObject({ better: older, suggested: ['status'] })
  expect(await preview(as('crm'), rejected, newer)).toMatchObject({ better: newer, suggested: ['status'] })
  expect(await preview(as('crm'), newer, rejected)).toMatchObject({ better: newer, suggested: [] })
})

const nora = { contact_name: 'Nora Lindqvist', email: 'nora@aalto.example', phone: '+1 212 555 0142' }
const liam = { contact_name: 'Liam Brandt', contact_role: 'Signs', email: '', phone: '+1 212 555 0199' }

async function withContacts(kept: object = nora, given: object = liam) {
  const started = await startTestApp()
  const { as, db } = started
  const [keep, other] = [await enterLead(db, kept), await enterLead(db, given)]
  await db
    .insertInto('lead_contacts')
    .values([
      { lead_id: keep, name: 'Sam Whitlock', email: 'sam@aalto.example' },
      { lead_id: other, name: 'Sam', email: 'SAM@aalto.example' },
      { lead_id: other, name: 'Jude Okon', role: 'Uses it' },
    ])
    .execute()
  const namesOf = (lead_id: number) =>
    db
      .selectFrom('lead_contacts')
      .select('name')
      .where('lead_id', '=', lead_id)
      .orderBy('id')
      .execute()
      .then((rows) => rows.map(({ name }) => name))
  const lead = async () => (await as('crm').get(`${at}/getdemo?id=${keep}`)).data
  return { ...started, keep, other, namesOf, lead }
}

test('a merge keeps all people separate: the other primary contact becomes one of the contacts, and undo separates them', async () => {
  const { as, keep, other, namesOf, lead } = await withContacts()
  expect(await preview(as('crm'), keep, other)).toMatchObject({ differing: ['contactName'], suggested: [] })
  const { operation } = await merge(as('crm'), keep, other)
  expect(await lead()).toMatchObject({
    contactName: 'Nora Lindqvist',
    contact_role: '',
    email: 'nora@aalto.example',
    phone: '+1 212 555 0142',
  })
  expect(await namesOf(keep)).toEqual(['Sam Whitlock', 'Jude Okon', 'Liam Brandt'])
  // The same address is one person.
  expect(await namesOf(other)).toEqual(['Sam'])
  const people = (await as('crm').get(`/admin/mails/lead/${keep}/people`)).data
  expect(people.map(({ address }: { address: string }) => address)).toEqual([
    'nora@aalto.example',
    'sam@aalto.example',
  ])

  const turn = (way: string) => as('crm').post(`/admin/operations/${operation.id}/${way}`)
  expect(await turn('undo')).toMatchObject({ status: 200, skipped: [] })
  expect([await namesOf(keep), await namesOf(other)]).toEqual([['Sam Whitlock'], ['Sam', 'Jude Okon']])
  expect(await turn('redo')).toMatchObject({ status: 200 })
  expect(await namesOf(keep)).toEqual(['Sam Whitlock', 'Jude Okon', 'Liam Brandt'])
})

test('the other primary contact is taken as a whole, and the own one becomes one of the contacts', async () => {
  const { as, keep, other, namesOf, lead } = await withContacts()
  const { operation } = await merge(as('crm'), keep, other, ['contactName'])
  expect(await lead()).toMatchObject({
    contactName: 'Liam Brandt',
    contact_role: 'Signs',
    email: '',
    phone: '+1 212 555 0199',
  })
  expect(await namesOf(keep)).toEqual(['Sam Whitlock', 'Jude Okon', 'Nora Lindqvist'])
  expect(await as('crm').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({ skipped: [] })
  expect(await lead()).toMatchObject({ contactName: 'Nora Lindqvist', email: 'nora@aalto.example' })
  expect(await namesOf(keep)).toEqual(['Sam Whitlock'])
})

test.each([
  ['nobody', { contact_name: '', contact_role: '', email: '', phone: '' }, liam, []],
  ['the same person', { ...nora, phone: '' }, { ...nora, email: '', contact_role: 'Decides' }, []],
  ['the same address', nora, { ...nora, contact_name: 'N. Lindqvist' }, ['contactName']],
])(
  'a lead that has %s keeps one primary contact, whose gaps are filled',
  async (_, kept, given, differing) => {
    const { as, keep, other, namesOf, lead } = await withContacts(kept, given)
    expect(await preview(as('crm'), keep, other)).toMatchObject({ differing, suggested: [] })
    await merge(as('crm'), keep, other)
    const { contact_name: contactName, email, phone } = { ...given, ...without(kept) }
    expect(await lead()).toMatchObject({ contactName, email, phone })
    expect(await namesOf(keep)).toEqual(['Sam Whitlock', 'Jude Okon'])
  },
)

test('two people who share an address stay two, the address with the primary one, and undo gives it back', async () => {
  const shared = { ...nora, contact_name: 'Liam Brandt', phone: '+1 212 555 0199' }
  const { as, db, keep, other, namesOf, lead } = await withContacts(nora, shared)
  const { operation } = await merge(as('crm'), keep, other, ['contactName'])
  expect(await lead()).toMatchObject({ contactName: 'Liam Brandt', email: nora.email, phone: shared.phone })
  expect(await namesOf(keep)).toEqual(['Sam Whitlock', 'Jude Okon', 'Nora Lindqvist'])
  const beside = await db
    .selectFrom('lead_contacts')
    .select(['email', 'phone'])
    .where('name', '=', 'Nora Lindqvist')
    .execute()
  expect(beside).toEqual([{ email: '', phone: nora.phone }])
  await as('crm').post(`/admin/operations/${operation.id}/undo`)
  expect(await lead()).toMatchObject({ contactName: 'Nora Lindqvist', email: nora.email })
  expect(await namesOf(other)).toEqual(['Sam', 'Jude Okon'])
})

test('a contact whose address the new primary one uses stays without it', async () => {
  const { as, db, keep, other } = await withContacts(nora, { ...liam, email: 'sam@aalto.example' })
  await merge(as('crm'), keep, other, ['contactName'])
  const sam = await db
    .selectFrom('lead_contacts')
    .select('email')
    .where('lead_id', '=', keep)
    .where('name', '=', 'Sam Whitlock')
    .execute()
  expect(sam).toEqual([{ email: '' }])
})

/** Returns the values that aren’t empty. */
const without = (values: object) => Object.fromEntries(Object.entries(values).filter(([, one]) => one !== ''))
