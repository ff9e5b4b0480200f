import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import { emptiableFields, type EmptiableField } from '#features/crm/leads/empty-filters.rules.ts'

/*
 * Each condition on a field that is empty or not, and each pair of them, returns exactly the leads that a plain scan
 * returns, in the list, on the board, and in the CSV. The leads are fixed, not random.
 */

/** A value for each field that can be empty, as the columns of a lead have it. */
const filled: Record<Exclude<EmptiableField, 'tag_ids' | 'other_contacts'>, object> = {
  contactName: { contact_name: 'Nora' },
  email: { email: 'nora@aalto.example' },
  phone: { phone: '+1 212 555 0142' },
  country: { country: 'Norway' },
  company_url: { company_url: 'https://aalto.example' },
  assign_to: { assign_to: 3 },
  followup_date: { followup_date: '2026-03-20' },
  request_date: { request_date: '2026-03-05' },
  implement_date: { implement_date: '2026-09-01' },
  amount: { amount: 0, currency: 'EUR' },
  expected_close: { expected_close: '2026-05-31' },
  services: { services: 'Consulting' },
  hear_about: { hear_about: 'Trade show' },
  reference: {},
  additional_info: { additional_info: 'Two sites' },
  cog_types: { cog_types: ['Towels'] },
  details: { details: JSON.stringify([{ label: 'Beds', value: '9' }]) },
}
/** Whether the lead with this index has a value in the field: different for each field. */
const has = (field: EmptiableField, index: number): boolean =>
  ((index + 1) * (emptiableFields.indexOf(field) + 3)) % 7 < 3

test('fields that are empty or not, alone and in every pair, keep the same leads as a plain scan', async () => {
  const { as, db } = await startTestApp()
  const [{ name: hear_about } = { name: '' }] = await db.selectFrom('lead_sources').select('name').execute()
  const [{ name: good } = { name: '' }] = await db.selectFrom('lead_cog_types').select('name').execute()
  const leads = await db
    .insertInto('leads')
    .values(
      Array.from({ length: 60 }, (_, index) => ({
        company_name: `Company ${index}`,
        lead_for: 1,
        lead_date: '2026-03-10',
        amount: null,
        currency: null,
        ...Object.entries(filled).reduce(
          (values, [field, value]) => ({ ...values, ...(has(field as EmptiableField, index) ? value : {}) }),
          {},
        ),
        ...(has('hear_about', index) && { hear_about }),
        ...(has('cog_types', index) && { cog_types: [good] }),
        ...(has('reference', index) && { reference: `K${index}` }),
      })),
    )
    .returning('lead_id')
    .execute()
  const idsWith = (field: EmptiableField) =>
    leads.flatMap(({ lead_id }, index) => (has(field, index) ? [{ lead_id }] : []))
  await db
    .insertInto('lead_tag_links')
    .values(idsWith('tag_ids').map((link) => ({ ...link, tag_id: 1 })))
    .execute()
  await db
    .insertInto('lead_contacts')
    .values(idsWith('other_contacts').map((contact) => ({ ...contact, name: 'Sam' })))
    .execute()

  const conditions = emptiableFields.flatMap((field) =>
    ([true, false] as const).map((isEmpty) => ({ field, isEmpty })),
  )
  let kept = 0
  const check = async (chosen: typeof conditions, everywhere = false) => {
    const expected = leads.flatMap(({ lead_id }, index) =>
      chosen.every(({ field, isEmpty }) => has(field, index) !== isEmpty) ? [lead_id] : [],
    )
    const query = `${chosen
      .map(({ field, isEmpty }) => `field_filter[]=${field}:${isEmpty ? 'empty' : 'filled'}`)
      .join('&')}&column=lead_id&direction=asc`
    const list = await as('crm').get(`/admin/users/get-demo-requests?${query}`)
    const listed = list['data'].leads.map((lead: LeadRow) => lead.lead_id)
    expect([query, list['total'], listed]).toEqual([query, expected.length, expected.slice(0, 20)])
    kept += expected.length
    if (!everywhere) return
    const board = await as('crm').get(`/admin/users/lead-board?${query}`)
    const rows = parse<Record<string, string>>(
      (await as('crm').get(`/admin/users/export-leads?${query}`)).text,
      { columns: true, bom: true },
    )
    expect([query, board['total']]).toEqual([query, expected.length])
    expect([query, rows.map((row) => Number(row['Number']))]).toEqual([query, expected])
  }
  for (const [index, one] of conditions.entries()) {
    await check([one], true)
    for (const other of conditions.slice(index + 1)) await check([one, other])
  }
  // A scan that returns nothing would match a list that is always empty.
  expect(kept).toBeGreaterThan(5000)
}, 60_000)

test('open leads without a follow-up date and a session ahead have no next step', async () => {
  const { as, db } = await startTestApp()
  const enter = async (company_name: string, values: object = {}, session?: object) => {
    const { lead_id } = await db
      .insertInto('leads')
      .values({ company_name, lead_for: 1, lead_date: '2026-03-10', ...values })
      .returning('lead_id')
      .executeTakeFirstOrThrow()
    const [{ name: type } = { name: '' }] = await db.selectFrom('session_types').select('name').execute()
    if (session)
      await db
        .insertInto('lead_demos')
        .values({ lead_id, type, ...session })
        .execute()
  }
  await enter('Nothing')
  await enter('Overdue', { followup_date: '2026-01-01' })
  await enter('Won', { status: 7 })
  await enter('Rejected', { status: 8, reject_msg: 'No' })
  await enter('Session today', {}, { status: 2, final_date: '2026-03-16T08:00:00Z' })
  await enter('Session past', {}, { status: 2, final_date: '2026-03-15T23:00:00Z' })
  await enter('Session canceled', {}, { status: 0, final_date: '2026-03-20T08:00:00Z' })
  await enter('Session requested', {}, { status: 1, requested_date: '2026-03-20T08:00:00Z' })
  const { data, total } = await as('crm').get(
    '/admin/users/get-demo-requests?next_step_filter=none&column=companyName&direction=asc',
  )
  const names = data.leads.map((lead: LeadRow) => lead.companyName)
  expect(names).toEqual(['Nothing', 'Session canceled', 'Session past', 'Session requested'])
  expect(total).toBe(4)
})

test('a bulk change of all that match takes the conditions', async () => {
  const { as, db } = await startTestApp()
  const values = { lead_for: 1, lead_date: '2026-03-10' }
  await db
    .insertInto('leads')
    .values([
      { ...values, company_name: 'With', email: 'a@aalto.example' },
      { ...values, company_name: 'Without' },
    ])
    .execute()
  const filters = { field_filter: ['email:empty'], next_step_filter: 'none' }
  const reply = await as('crm').post('/admin/users/change-leads', {
    selection: { filters, total: 1 },
    change: { kind: 'color', color: 4 },
  })
  expect(reply.status).toBe(200)
  expect(await db.selectFrom('leads').select(['company_name', 'color']).orderBy('lead_id').execute()).toEqual(
    [
      { company_name: 'With', color: 0 },
      { company_name: 'Without', color: 4 },
    ],
  )
})

test('a condition on a field that can’t be empty, or of another kind, is refused', async () => {
  const { as } = await startTestApp()
  for (const filter of ['companyName:empty', 'email:some', 'email', 'search:empty'])
    expect(await as('crm').get(`/admin/users/get-demo-requests?field_filter=${filter}`)).toMatchObject({
      status: 422,
    })
})

test('leads without tags follow every change of tags: by a form, Undo, the trash, and the list of tags', async () => {
  const { as, db } = await startTestApp()
  const values = { lead_for: 1, lead_date: '2026-03-10' }
  const [one, other] = await db
    .insertInto('leads')
    .values([
      { ...values, company_name: 'One' },
      { ...values, company_name: 'Other' },
    ])
    .returning('lead_id')
    .execute()
  const without = async () => {
    const query = 'field_filter=tag_ids:empty&column=companyName&direction=asc'
    const { data } = await as('crm').get(`/admin/users/get-demo-requests?${query}`)
    return data.leads.map((lead: LeadRow) => lead.companyName)
  }
  const tag = async (lead: { lead_id: number }, tag_ids: number[]) =>
    as('crm').post('/admin/users/update-demo-requests', { lead_id: lead.lead_id, tag_ids })
  expect(await without()).toEqual(['One', 'Other'])
  const added = await tag(one!, [1, 2])
  expect(await without()).toEqual(['Other'])
  await as('crm').post(`/admin/operations/${added['operation'].id}/undo`)
  expect(await without()).toEqual(['One', 'Other'])
  await as('crm').post(`/admin/operations/${added['operation'].id}/redo`)
  await tag(other!, [2])
  expect(await without()).toEqual([])
  await tag(one!, [2])
  await db.deleteFrom('lead_tags').where('id', '=', 2).execute()
  expect(await without()).toEqual(['One', 'Other'])
})
