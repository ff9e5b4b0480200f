import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const at = '/admin/users'
const path = (id: number, url: string, more = '') =>
  `${at}/check-leads-website-status?id=${id}&url=${encodeURIComponent(url)}${more}`

async function withSite(status = 200, during?: () => Promise<void>) {
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    void (during?.() ?? Promise.resolve()).then(() => response.writeHead(status).end())
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => void server.close())
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const started = await startTestApp({ outside: { extraOrigin: site } })
  const id = await enterLead(started.db, { company_url: site })
  const all = () => started.db.selectFrom('leads').selectAll().execute()
  return { ...started, site, id, all, asked: () => asked }
}

test('only lead_create_website allows a website check, and only then is a request sent', async () => {
  const { as, site, id, all, asked } = await withSite()
  const before = await all()
  for (const role of [...roleIds, undefined]) {
    const may = role !== undefined && defaultGrants[role].includes('lead_create_website')
    if (!may)
      expect([role, (await as(role).get(path(id, site))).status]).toEqual([
        role,
        role === undefined ? 401 : 403,
      ])
  }
  expect([await all(), asked()]).toEqual([before, 0])
  expect((await as('crm').get(path(id, site))).status).toBe(200)
})

test('up is stored on the lead with time and URL, is in the history, and is announced to users with the lead open', async () => {
  const { as, site, id, live } = await withSite()
  const reply = await as('crm').get(path(id, site, '&lead_for=1'))
  expect(reply).toMatchObject({
    status: 200,
    message: 'The website is up.',
    data: { id, url: site, status: 'up', checked_at: '2026-03-16T10:00:00.000Z' },
  })
  expect(reply.headers['cache-control']).toContain('no-store')
  expect((await as('crm').get(`${at}/getdemo?id=${id}`))['data']).toMatchObject({
    website_up: true,
    website_checked_at: '2026-03-16T10:00:00.000Z',
    website_checked_url: site,
    version: 1,
  })
  expect((await as('crm').get(`/admin/records/lead/${id}/history`))['data'][0].changes).toContainEqual({
    field: 'website_up',
    before: null,
    after: true,
  })
  expect(live).toContainEqual(expect.objectContaining({ channel: 'private-records.leads', event: 'changed' }))
})

test.each([
  [200, 'up'],
  [403, 'up'],
  [404, 'down'],
  [410, 'down'],
  [500, 'down'],
  [503, 'down'],
])('a server that answers %d is %s', async (status, state) => {
  const { as, site, id } = await withSite(status)
  expect(await as('crm').get(path(id, site))).toMatchObject({ status: 200, data: { status: state } })
})

test('the lead is not locked during the request', async () => {
  let change: () => Promise<void> = async () => {}
  const { as, site, id, db } = await withSite(200, () => change())
  change = async () => {
    await db.updateTable('leads').set({ phone: '1' }).where('lead_id', '=', id).execute()
  }
  expect((await as('crm').get(path(id, site))).status).toBe(200)
  expect(await db.selectFrom('leads').select(['phone', 'website_up']).executeTakeFirst()).toEqual({
    phone: '1',
    website_up: true,
  })
})

test('a URL that is evidently not public is refused at its field, and nothing is stored', async () => {
  const { as, id, all } = await withSite()
  const before = await all()
  for (const url of [
    '',
    'nothing',
    'ftp://example.com/',
    'javascript:alert(1)',
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://user:secret@example.com/',
    'http://example.com:5432/',
    'http://a b.example/',
    `http://example.com/${'x'.repeat(2000)}`,
  ])
    expect([url.slice(0, 40), await as('crm').get(path(id, url))]).toEqual([
      url.slice(0, 40),
      expect.objectContaining({ status: 422, errors: { url: [expect.any(String)] } }),
    ])
  expect(await all()).toEqual(before)
})

test('a host that resolves to our network is down like one that does not exist: the answer reveals nothing about our network', async () => {
  const { as, id } = await withSite()
  expect(await as('crm').get(path(id, 'http://localhost.localdomain/'))).toMatchObject({
    status: 200,
    data: { status: 'down' },
  })
  expect(await as('crm').get(path(id, 'http://no-such-host.invalid/'))).toMatchObject({
    status: 200,
    data: { status: 'down' },
  })
})

test("an unknown lead, another user's, or one of another product than stated: 404, and no request is sent", async () => {
  const { as, db, site, id, asked } = await withSite()
  expect((await as('crm').get(path(9999, site))).status).toBe(404)
  expect((await as('crm').get(path(id, site, '&lead_for=2'))).status).toBe(404)
  expect((await as('crm').get(path(id, site, '&lead_for=0'))).status).toBe(422)
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 1)
    .execute()
  expect((await as('crm').get(path(id, site))).status).toBe(404)
  expect(asked()).toBe(0)
})
