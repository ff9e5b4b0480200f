import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { allOfLeads, enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const at = '/admin/users'

async function withOneLead(): Promise<TestApp & { id: number; before: unknown }> {
  const started = await startTestApp()
  const id = await enterLead(started.db)
  return { ...started, id, before: await allOfLeads(started.db) }
}

test('a list requested with invalid parameters names the wrong one', async () => {
  const { as, db, before } = await withOneLead()
  const wrong: [query: string, field: string][] = [
    ['page=abc', 'page'],
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=1.5', 'page'],
    ['page=10000000000', 'page'],
    ['page[]=1', 'page'],
    ['page=1&page=2', 'page'],
    ['no_such=1', 'no_such'],
    ['constructor=1', 'constructor'],
    ['__proto__[]=1', '__proto__'],
    ['status=one', 'status'],
    ['status[]=1', 'status'],
    ['status=1&status=2', 'status'],
    ['color=99999', 'color'],
    [`search=${'x'.repeat(10_000)}`, 'search'],
    ['search=a%00b', 'search'],
    ['search[]=a', 'search'],
    ['fromDate=2026-02-30', 'fromDate'],
    ['toDate=yesterday', 'toDate'],
    ['follow_up_from=2026-13-01', 'follow_up_from'],
    ['request_to=26-1-1', 'request_to'],
    ['today=2026-03-32', 'today'],
    ['followup_filter=7', 'followup_filter'],
    ['demo_filter=4', 'demo_filter'],
    ['assigned_filter=yours', 'assigned_filter'],
    ['lead_filter=3', 'lead_filter'],
    ['column=password_hash', 'column'],
    ['column=lead_id;drop table leads', 'column'],
    ['direction=sideways', 'direction'],
    ['crm_id=0', 'crm_id'],
    ['lead_for=x', 'lead_for'],
    ['tags_filter=a,b', 'tags_filter.0'],
    ['status_not=new', 'status_not.0'],
    ['color_not=-1', 'color_not.0'],
    ['assignee_not=me', 'assignee_not.0'],
    ['creator_any=1,x', 'creator_any.1'],
    ['reject_reason_not=99999999999', 'reject_reason_not.0'],
    ['demo_any=4', 'demo_any.0'],
    ['type_not=3', 'type_not.0'],
    ['currency_any=Euro', 'currency_any.0'],
    ['billing_not[]=once&billing_not[]=weekly', 'billing_not.1'],
    ['country_any[]=&country_any[]=Norway', 'country_any.0'],
    [`country_not=${'x'.repeat(81)}`, 'country_not.0'],
    ['timezone_any=a%00b', 'timezone_any.0'],
    ['tags_not=a', 'tags_not.0'],
    ['created_from=yesterday', 'created_from'],
    ['implement_to=2026-02-30', 'implement_to'],
    ['untouched_days=0', 'untouched_days'],
    ['untouched_days=3651', 'untouched_days'],
    [`contact_role=${'x'.repeat(81)}`, 'contact_role'],
    ['or=status_not=new', 'or.0'],
    [`tags_filter=${Array.from({ length: 51 }, (_, index) => index).join()}`, 'tags_filter'],
  ]
  for (const [query, field] of wrong) {
    const reply = await as('crm').get(`${at}/get-demo-requests?${query}`)
    expect([query.slice(0, 40), reply.status, Object.keys(reply.errors ?? {})]).toEqual([
      query.slice(0, 40),
      422,
      expect.arrayContaining([field]),
    ])
    expect(reply).toMatchObject({ message: expect.any(String), request_id: expect.any(String) })
  }
  expect(await allOfLeads(db)).toEqual(before)
})

test('an extreme but valid value is answered', async () => {
  const { as } = await withOneLead()
  for (const query of [
    'page=1000000000',
    'fromDate=1900-01-01&toDate=2199-12-31',
    `search=${'x'.repeat(200)}`,
    'search=%25',
    'software_filter=no such service',
    'crm_id=2147483647',
    'fromDate=2026-03-31&toDate=2026-03-01',
  ]) {
    expect([query.slice(0, 40), (await as('crm').get(`${at}/get-demo-requests?${query}`)).status]).toEqual([
      query.slice(0, 40),
      200,
    ])
  }
})

test('a wrong method is 405 with the allowed ones', async () => {
  const { as, id, db, before } = await withOneLead()
  for (const [method, path] of [
    ['POST', `${at}/get-demo-requests`],
    ['DELETE', `${at}/get-demo-requests`],
    ['POST', `${at}/change-demorequest-color?id=${id}&color=1`],
    ['POST', `${at}/change-demorequest-color?id=${id}&color=1&_method=GET`],
    ['PUT', `${at}/save-demo-requests`],
    ['GET', `${at}/save-demo-requests`],
    ['PATCH', `${at}/getdemo?id=${id}`],
  ] as const) {
    const reply = await as('crm').send(method, path, method === 'GET' ? undefined : {})
    expect([method, path, reply.status, reply.headers['allow']]).toEqual([
      method,
      path,
      405,
      expect.stringMatching(/GET|POST/),
    ])
  }
  expect(await allOfLeads(db)).toEqual(before)
})

test('a body that is not JSON, too large, or of another type is refused before anything happens', async () => {
  const { as, db, before } = await withOneLead()
  const send = (body: unknown, type: string) =>
    as('crm').send('POST', `${at}/save-demo-requests`, body, { headers: { 'content-type': type } })
  expect(await send('{"companyName":', 'application/json')).toMatchObject({ status: 400 })
  expect(await send('<lead/>', 'application/xml')).toMatchObject({ status: 415 })
  expect(await send('companyName=A', 'text/plain')).toMatchObject({ status: 415 })
  expect(await send('nothing of a form', 'multipart/form-data')).toMatchObject({
    status: expect.toSatisfy((status: number) => status >= 400 && status < 500),
  })
  expect(await send('nothing of a form', 'multipart/form-data; boundary=x')).toMatchObject({
    status: expect.toSatisfy((status: number) => status >= 400 && status < 500),
  })
  expect(
    await send(
      JSON.stringify({ companyName: 'A', lead_for: 1, additional_info: 'x'.repeat(1_000_001) }),
      'application/json',
    ),
  ).toMatchObject({
    status: 413,
  })
  for (const body of ['[]', '"lead"', '7', 'null', '[{"companyName":"A","lead_for":1}]'])
    expect([body, (await send(body, 'application/json')).status]).toEqual([body, 422])
  expect(await send('{"__proto__":{"lead_for":1},"companyName":"A"}', 'application/json')).toMatchObject({
    status: expect.toSatisfy((status: number) => status >= 400 && status < 500),
  })
  expect(await allOfLeads(db)).toEqual(before)
})

test('an invalid id is refused with a message', async () => {
  const { as, db, before } = await withOneLead()
  for (const id of [
    '',
    '0',
    '-1',
    'x',
    '1.5',
    '2147483648',
    '99999999999999999999',
    '1&id=2',
    '1%00',
    "1'",
  ]) {
    for (const path of [
      `getdemo?id=${id}`,
      `change-demorequest-color?color=1&id=${id}`,
      `change-lead-status?status=2&id=${id}`,
    ]) {
      expect([path, (await as('crm').get(`${at}/${path}`)).status]).toEqual([path, 422])
    }
  }
  expect(await allOfLeads(db)).toEqual(before)
})
