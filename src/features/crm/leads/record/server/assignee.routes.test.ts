import { expect, test } from 'vitest'
import { batchSize } from '#shared/operations.ts'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const at = '/admin/users'
const notices = ({ db }: TestApp) =>
  db.selectFrom('notices').select(['kind', 'staff_id', 'record_id', 'words']).orderBy('id').execute()

test('a new assignee gets one notice for each change, however many leads it has', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const me = as('crm')
  const other = as('admin').id
  const ids = [await enterLead(db), await enterLead(db, { company_name: 'Birch' }), await enterLead(db)]
  const change = (assign_to: number | null, selected = ids) =>
    me.post(`${at}/change-leads`, { selection: { ids: selected }, change: { kind: 'assign', assign_to } })
  const [{ name } = { name: '' }] = await db
    .selectFrom('staff')
    .select('name')
    .where('id', '=', me.id)
    .execute()

  expect((await change(other)).status).toBe(200)
  const first = { kind: 'assigned', staff_id: other, record_id: ids[0] }
  expect(await notices(app)).toEqual([{ ...first, words: `${name} assigned this lead and 2 others to you.` }])
  // The same assignee again, no assignee, and the one who assigns get none.
  await change(other)
  await change(null)
  await change(me.id)
  expect(await notices(app)).toHaveLength(1)
  await me.post(`${at}/update-demo-requests`, { lead_id: ids[1], assign_to: other })
  await me.post(`${at}/update-demo-requests`, { lead_id: ids[1], companyName: 'Birch 2' })
  const { data } = await me.post(`${at}/save-demo-requests`, {
    lead_for: 1,
    companyName: 'New',
    assign_to: other,
  })
  const words = `${name} assigned this lead to you.`
  expect((await notices(app)).slice(1)).toEqual([
    { ...first, record_id: ids[1], words },
    { ...first, record_id: data.lead_id, words },
  ])
})

test('the new assignee of many leads gets one notice when all are changed, of those that changed', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const other = as('admin').id
  const rows = Array.from({ length: batchSize + 3 }, (_, index) => ({
    company_name: `Company ${index}`,
    lead_for: 1,
    lead_date: '2026-03-10',
    assign_to: index === 0 ? other : null,
  }))
  const leads = await db.insertInto('leads').values(rows).returning('lead_id').execute()
  const ids = leads.map(({ lead_id }) => lead_id)
  const reply = await as('crm').post(`${at}/change-leads`, {
    selection: { ids },
    change: { kind: 'assign', assign_to: other },
  })
  expect(reply).toMatchObject({ status: 200, running: true })
  await expect
    .poll(() => notices(app), { interval: 50 })
    .toMatchObject([
      { record_id: ids[1], words: expect.stringMatching(/assigned this lead and 501 others to you\.$/) },
    ])
})

test('an assignee gets no notice of leads that they can’t open', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const other = as('admin').id
  await db.deleteFrom('staff_products').where('staff_id', '=', other).where('product_id', '=', 2).execute()
  const [own, foreign] = [await enterLead(db), await enterLead(db, { lead_for: 2 })]
  const assign = (ids: number[], assign_to: number) =>
    as('crm').post(`${at}/change-leads`, { selection: { ids }, change: { kind: 'assign', assign_to } })
  await assign([foreign], other)
  await assign([own], as('designer').id)
  expect(await notices(app)).toEqual([])
  await assign([own], other)
  expect(await notices(app)).toMatchObject([{ record_id: own }])
})

test('an assignee who chose it gets one email for each change, which names the first ten leads', async () => {
  const app = await startTestApp({ env: { PUBLIC_URL: 'https://panel.example.com' } })
  const { as, db } = app
  const me = as('crm')
  const other = as('admin')
  const ids: number[] = []
  for (let lead = 1; lead <= 22; lead += 1) ids.push(await enterLead(db, { company_name: `Lead <${lead}>` }))
  const assign = (selected: number[], assign_to: number | null) =>
    me.post(`${at}/change-leads`, { selection: { ids: selected }, change: { kind: 'assign', assign_to } })
  const mails = () =>
    db
      .selectFrom('mails as m')
      .innerJoin('mail_recipients as r', 'r.mail_id', 'm.id')
      .select(['m.kind', 'm.subject', 'm.text', 'm.html', 'r.address'])
      .orderBy('m.id')
      .execute()
  await assign(ids, other.id)
  await assign(ids, null)
  expect(await mails()).toEqual([])

  expect(await other.post('/admin/notices/settings', { emails_assignments: true })).toMatchObject({
    data: { emails_assignments: true },
  })
  await me.post('/admin/notices/settings', { emails_assignments: true })
  await assign(ids, other.id)
  await assign([ids[0]!], me.id)
  await me.post(`${at}/update-demo-requests`, { lead_id: ids[0], assign_to: other.id })
  const sent = await mails()
  const { name, email } = await db
    .selectFrom('staff')
    .select([
      'email',
      (of) => of.selectFrom('staff as s').select('name').where('s.id', '=', me.id).as('name'),
    ])
    .where('id', '=', other.id)
    .executeTakeFirstOrThrow()
  expect(sent).toMatchObject([
    { kind: 'assigned', subject: `${name} assigned 22 leads to you`, address: email },
    { kind: 'assigned', subject: `${name} assigned the lead “Lead <1>” to you`, address: email },
  ])
  const [many, one] = sent
  const link = (id: number) => `href="https://panel.example.com/demo-leads/lead/${id}"`
  expect(many!.html.match(/demo-leads\/lead\//g)).toHaveLength(10)
  expect(many!.html).toContain(`${link(ids[9]!)}>Lead &lt;10&gt;</a>`)
  expect(many!.text).toContain('and 12 more')
  expect(one!.html).toContain(link(ids[0]!))
  expect(one!.text).not.toContain('more')

  await other.post('/admin/notices/settings', { emails_assignments: false })
  await assign([ids[1]!], me.id)
  await assign([ids[1]!], other.id)
  expect(await mails()).toHaveLength(2)
})

test('only its recipient reads an email about assignments in the outbox', async () => {
  const { as, db } = await startTestApp()
  await as('admin').post('/admin/notices/settings', { emails_assignments: true })
  const lead_id = await enterLead(db)
  await as('crm').post(`${at}/update-demo-requests`, { lead_id, assign_to: as('admin').id })
  const { id } = await db.selectFrom('mails').select('id').executeTakeFirstOrThrow()
  expect((await as('admin').get(`/admin/mail/${id}`)).status).toBe(200)
  for (const who of ['super_admin', 'crm']) expect((await as(who).get(`/admin/mail/${id}`)).status).toBe(404)
})
