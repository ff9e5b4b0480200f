import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'

const path = '/admin/users/lead-create-organization'

test('creating an organization needs lead_create_organization', async () => {
  const { as, db } = await startTestApp()
  for (const role of [...roleIds, undefined]) {
    const lead_id = await enterLead(db)
    const expected =
      role === undefined ? 401 : defaultGrants[role].includes('lead_create_organization') ? 200 : 403
    expect([role, (await as(role).post(path, { lead_id })).status]).toEqual([role, expected])
    const { organization_id } = await db
      .selectFrom('leads')
      .select('organization_id')
      .where('lead_id', '=', lead_id)
      .executeTakeFirstOrThrow()
    expect(organization_id === null).toBe(expected !== 200)
  }
})

test('undo moves the new organization to the trash with its onboarding and user, and redo restores all of them', async () => {
  const { as, db } = await startTestApp()
  const crm = as('crm')
  const lead_id = await enterLead(db)
  const { data, operation } = await crm.post(path, { lead_id, user: { first_name: 'Aino' } })
  const inTrash = async () =>
    [
      ...(await db.selectFrom('organizations').select('deleted_at').execute()),
      ...(await db.selectFrom('customer_users').select('deleted_at').execute()),
      ...(await db.selectFrom('onboardings').select('deleted_at').execute()),
    ].map(({ deleted_at }) => deleted_at !== null)
  const organizationOfLead = async () =>
    (await crm.get(`/admin/users/getdemo?id=${lead_id}`))['data'].organization_id
  expect(await inTrash()).toEqual([false, false, false])
  expect(await crm.post(`/admin/operations/${operation.id}/undo`)).toMatchObject({
    status: 200,
    undone: 1,
    skipped: [],
  })
  expect([await inTrash(), await organizationOfLead()]).toEqual([[true, true, true], null])
  expect(await crm.post(`/admin/operations/${operation.id}/redo`)).toMatchObject({
    status: 200,
    redone: 1,
    skipped: [],
  })
  expect([await inTrash(), await organizationOfLead()]).toEqual([[false, false, false], data.organization_id])
  expect(await as('csm').get(`/admin/users/onboarding?id=${data.onboarding_id}`)).toMatchObject({
    status: 200,
  })
})

test("it copies the lead's values, is on trial, and both refer to each other; it is in the history of both", async () => {
  const { as, db, live } = await startTestApp()
  const lead_id = await enterLead(db, {
    company_name: 'Tamsel Hotel',
    country: 'Germany',
    timezone: 'Europe/Berlin',
    lead_for: 3,
  })
  const reply = await as('crm').post(path, { lead_id })
  expect(reply).toMatchObject({
    status: 200,
    message: 'Organization Tamsel Hotel created.',
    data: {
      name: 'Tamsel Hotel',
      status: 2,
      product_ids: [3],
      timezone: 'Europe/Berlin',
      country: 'Germany',
      state: '',
      lead_id,
    },
  })
  const { organization_id } = reply['data']
  expect((await as('crm').get(`/admin/users/getdemo?id=${lead_id}`))['data']).toMatchObject({
    organization_id,
    organization_name: 'Tamsel Hotel',
    version: 2,
    status: 7,
  })
  const targets = await db
    .selectFrom('audit_log')
    .select(['target_type', 'target_id'])
    .orderBy('id')
    .execute()
  expect(targets).toEqual([
    { target_type: 'organization', target_id: organization_id },
    { target_type: 'onboarding', target_id: reply['data'].onboarding_id },
    { target_type: 'lead', target_id: lead_id },
  ])
  expect(new Set(live.map(({ channel }) => channel))).toEqual(
    new Set([
      'private-records.leads',
      'private-records.organization',
      'private-records.onboarding',
      'private-records.appointments',
    ]),
  )
})

test('a second call is 409 with the existing organization, also if two are concurrent', async () => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db)
  const replies = await Promise.all([
    as('crm').post(path, { lead_id }),
    as('admin').post(path, { id: lead_id, name: 'Other' }),
  ])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const [made] = await db.selectFrom('organizations').selectAll().execute()
  expect(await as('crm').post(path, { lead_id })).toMatchObject({
    status: 409,
    current: { organization_id: made!.organization_id, lead_id },
  })
  expect(await db.selectFrom('organizations').selectAll().execute()).toHaveLength(1)
})

test.each([
  [{}, 'lead_id'],
  [{ lead_id: 'x' }, 'lead_id'],
  [{ name: '' }, 'name'],
  [{ name: 'x'.repeat(201) }, 'name'],
  [{ status: 5 }, 'status'],
  [{ status: 0 }, 'status'],
  [{ timezone: 'Mars' }, 'timezone'],
  [{ country: 'a\u0000' }, 'country'],
])('%j is refused at %s', async (body, field) => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db)
  const sent = field === 'lead_id' ? body : { lead_id, ...body }
  expect(await as('crm').post(path, sent)).toMatchObject({
    status: 422,
    errors: { [field]: [expect.any(String)] },
  })
  expect(await db.selectFrom('organizations').selectAll().execute()).toEqual([])
})

test('a lead of another product, or an unknown one, is 404', async () => {
  const { as, db } = await startTestApp()
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 3)
    .execute()
  for (const lead_id of [9999, await enterLead(db, { lead_for: 3 })])
    expect((await as('crm').post(path, { lead_id })).status).toBe(404)
  expect(await db.selectFrom('organizations').selectAll().execute()).toEqual([])
})

test('the preview names the organization of a user with the email, unless it is of another product', async () => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db, { contact_name: 'Zoe Zunz', email: 'zoe@taken.example' })
  await enterUser(db, await enterOrganization(db, { name: 'Kagawa Silk' }, [4]), 'Zoe', {
    email: 'zoe@taken.example',
  })
  const preview = async () =>
    (await as('admin').get(`/admin/users/lead-create-organization/preview?lead_id=${lead_id}`)).data
  expect((await preview()).user_of).toBe('Kagawa Silk')

  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '=', 4)
    .execute()
  const other = await preview()
  // The email address is still reported as being in use.
  expect(other.user_of).toEqual(expect.any(String))
  expect(JSON.stringify(other)).not.toContain('Kagawa')
})

test('the preview proposes the organization of the website’s domain, in both of its forms', async () => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db, {
    company_name: 'Rösli',
    company_url: 'https://www.müller.example/shop',
    email: '',
  })
  const written = await enterOrganization(db, { name: 'Written', domain: 'müller.example' })
  const encoded = await enterOrganization(db, { name: 'Encoded', domain: 'xn--mller-kva.example' })
  await enterOrganization(db, { name: 'Other', domain: 'mueller.example' })
  const { data } = await as('admin').get(`/admin/users/lead-create-organization/preview?lead_id=${lead_id}`)
  const found = data.likely.map((one: { organization_id: number }) => one.organization_id)
  expect(found.toSorted()).toEqual([written, encoded])
})
