import { expect, test } from 'vitest'
import { client, startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { isAdminRole, roleIds } from '#shared/access.ts'
import { plainDate } from '#shared/dates.ts'
import type { StoredWebForm } from '#features/crm/leads/web-form/contract.ts'
import { dropOldEntries } from '#features/crm/leads/web-form/server/web-forms.routes.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import {
  fillIn,
  saveForm,
  sendForm,
  settingsPath,
  settingsOf,
} from '#features/crm/leads/web-form/server/web-forms.testing.ts'

const leadsOf = ({ db }: TestApp) =>
  db
    .selectFrom('leads as l')
    .leftJoin('staff as s', 's.id', 'l.assign_to')
    .select([
      'l.lead_id',
      'l.company_name',
      'l.contact_name',
      'l.email',
      'l.lead_type',
      'l.lead_for',
      's.user_name',
    ])
    .orderBy('l.lead_id')
    .execute()
const notesOf = ({ db }: TestApp) =>
  db.selectFrom('notes').select(['record_id', 'body', 'staff_id']).orderBy('id').execute()
const heldOf = async ({ as }: TestApp) =>
  (await as('admin').get(`${settingsPath}/held`))['data'] as { id: number; reason: string }[]

/** Starts the panel with a form that is on, and these people in turn. */
async function withForm(
  names: readonly string[] = [],
  values: object = {},
  options: Parameters<typeof startTestApp>[0] = {},
) {
  const started = await startTestApp(options)
  const staff_ids = names.map((name) => started.as(name).id)
  const form = await saveForm(started, { staff_ids, ...values })
  return { ...started, form, path: `/public/lead-form/${form.slug}` }
}

test('web forms are for roles 0 and 1, who have the product', async () => {
  const { as, db } = await withForm()
  for (const role of [...roleIds, undefined]) {
    const expected = role === undefined ? 401 : isAdminRole(role) ? 200 : 403
    const found = await as(role).get(settingsPath)
    expect([role, found.status]).toEqual([role, expected])
    const held = await as(role).get(`${settingsPath}/held`)
    expect([role, held.status]).toEqual([role, expected])
    const form = { ...(await settingsOf({ as })), slug: 'linen' }
    expect([role, (await as(role).post(settingsPath, form)).status]).toEqual([role, expected])
    const accepted = await as(role).post(`${settingsPath}/held/1/accept`, {})
    expect([role, accepted.status]).toEqual([role, expected === 200 ? 404 : expected])
    const removed = await as(role).send('DELETE', `${settingsPath}/held/1`)
    expect([role, removed.status]).toEqual([role, expected === 200 ? 404 : expected])
    const preview = await as(role).post(`${settingsPath}/preview`, { ...form, is_embedded: false })
    expect([role, preview.status]).toEqual([role, expected])
  }
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '=', 1)
    .execute()
  expect((await as('admin').get(settingsPath)).status).toBe(403)
})

test('of two admins who change a form, the second gets a conflict with the form of the first', async () => {
  const { as } = await withForm([], { title: 'Talk to us' })
  const late = await as('super_admin').post(settingsPath, { ...(await settingsOf({ as })), version: 0 })
  expect([late.status, late['current'].title, late['current'].version]).toEqual([409, 'Talk to us', 1])
})

test.each([
  [{ slug: 'A b' }, 'slug', 'Use 3 to 60 lowercase letters, digits, and hyphens.'],
  [{ fields: [] }, 'fields', 'Add the email field as a required one: without an address, no one can answer.'],
  [
    { fields: ['email', 'email'].map((field) => ({ field, label: 'Email', required: true })) },
    'fields',
    'Add each field only once.',
  ],
  [
    { origins: ['https://x.example; script-src *'] },
    'origins.0',
    'Enter websites such as www.example.com, without a path.',
  ],
  [{ origins: ['http://x.example'] }, 'origins.0', 'Enter websites such as www.example.com, without a path.'],
  [{ staff_ids: [9999] }, 'staff_ids', 'Choose admin users who can open leads of this product.'],
  [{ source: 'Rumor' }, 'source', 'Choose an existing source.'],
  [{ title: ' ' }, 'title', 'This field is required.'],
])('a form with %j is refused at its field', async (changed, field, message) => {
  const started = await startTestApp()
  const reply = await started.as('admin').post(settingsPath, { ...(await settingsOf(started)), ...changed })
  expect([reply.status, reply['errors']]).toEqual([422, { [field]: [message] }])
})

test('an address that another product’s form has is refused', async () => {
  const { as } = await withForm([], { slug: 'linen' })
  const other = '/admin/settings/web-forms/2'
  const reply = await as('admin').post(other, { ...(await settingsOf({ as }, 2)), slug: 'linen' })
  expect([reply.status, Object.keys(reply['errors'])]).toEqual([422, ['slug']])
})

test('the page can be framed only by the websites in its settings, and has no session', async () => {
  const { app, path, as } = await withForm([], {
    origins: ['www.linen.example', 'https://shop.example:8443/'],
  })
  const visitor = client(app, '')
  const page = await visitor.get(path, { headers: { 'sec-fetch-site': 'cross-site' } })
  expect([page.status, page.headers['content-type'], page.headers['cache-control']]).toEqual([
    200,
    'text/html; charset=utf-8',
    'no-store',
  ])
  expect(page.headers['set-cookie']).toBeUndefined()
  expect(page.text).toContain('content="noindex"')
  expect(page.headers['content-security-policy']).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors https://www.linen.example https://shop.example:8443",
  )
  // Without websites, no one can frame it; the settings of one form don't change those of another page.
  await saveForm({ as }, { origins: [], slug: 'linen' })
  const alone = await visitor.get('/public/lead-form/linen')
  expect(alone.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect((await visitor.get(path)).status).toBe(404)
  expect((await visitor.get(path)).headers['content-security-policy']).toContain("frame-ancestors 'none'")
})

test('a form that is off answers 410, and one that doesn’t exist 404', async () => {
  const started = await withForm([], { is_on: false })
  const visitor = client(started.app, '')
  for (const status of [
    (await visitor.get(started.path)).status,
    (await sendForm(started, started.path, {})).status,
  ])
    expect(status).toBe(410)
  expect((await visitor.get('/public/lead-form/unknown')).status).toBe(404)
  expect((await sendForm(started, '/public/lead-form/unknown', {})).status).toBe(404)
  expect(await leadsOf(started)).toEqual([])
})

test('an entry becomes an inbound lead of the product, with its consent, source, and campaign', async () => {
  const started = await withForm(['admin'], { consent: 'I agree to the privacy notice.', source: 'Website' })
  const { as, db, live } = started
  const sent = await fillIn(started, `${started.path}?utm_source=news&gclid=1`, {
    contactName: 'Zoë Berg',
    email: 'zoe@aalto.example',
    companyName: 'Aalto Linen',
    message: 'We wash 340 towels.',
    consent: 'yes',
  })
  expect([sent.status, sent.text.includes('Thank you.')]).toEqual([200, true])
  const [lead] = await leadsOf(started)
  expect(lead).toMatchObject({
    company_name: 'Aalto Linen',
    contact_name: 'Zoë Berg',
    lead_type: 2,
    lead_for: 1,
    user_name: 'admin',
  })
  const shown = (await as('admin').get(`/admin/users/get-single-demo-request?id=${lead!.lead_id}`))['data']
  if (shown) expect(shown).toMatchObject({ hear_about: 'Website', followup_date: '2026-03-17', status: 1 })
  expect(await notesOf(started)).toEqual([
    {
      record_id: lead!.lead_id,
      staff_id: null,
      body: 'We wash 340 towels.\n\nAgreed on 16 Mar 2026 to: “I agree to the privacy notice.”\n\nCampaign: source news',
    },
  ])
  expect(await db.selectFrom('web_form_leads').select(['lead_id', 'consent', 'sent_at']).execute()).toEqual([
    {
      lead_id: lead!.lead_id,
      consent: 'I agree to the privacy notice.',
      sent_at: '2026-03-16T10:00:05.000Z',
    },
  ])
  const history = (await as('admin').get(`/admin/records/lead/${lead!.lead_id}/history`))['data']
  expect(history.map(({ act, who }: { act: string; who: string }) => [act, who])).toContainEqual([
    'Sent through the web form',
    'System',
  ])
  const notes = (await as('admin').get(`/admin/general/notes/lead/${lead!.lead_id}`))['data']
  expect(notes).toMatchObject([{ who: 'System' }])
  expect((await as('admin').get('/admin/notices'))['data']).toMatchObject([
    { kind: 'assigned', record_id: lead!.lead_id, words: 'A web form assigned this lead to you.' },
  ])
  expect(live.map(({ channel }) => channel)).toEqual(
    expect.arrayContaining([expect.stringContaining('private-records.leads')]),
  )
})

test('each field has its error, and what was typed stays, as text', async () => {
  const started = await withForm([], { consent: 'I agree.' })
  const refused = await fillIn(started, started.path, {
    contactName: '"><script>alert(1)</script>',
    email: 'zoe',
    message: '</textarea><b>Hello</b>',
  })
  expect([refused.status, refused.headers['content-type']]).toEqual([422, 'text/html; charset=utf-8'])
  expect(refused.text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
  expect(refused.text).toContain('&lt;/textarea&gt;&lt;b&gt;Hello&lt;/b&gt;</textarea')
  expect(refused.text).not.toContain('<script')
  for (const words of [
    'Enter a valid email address.',
    'This field is required.',
    'Check this box to send the form.',
  ])
    expect(refused.text).toContain(words)
  expect(refused.text).toContain('aria-describedby="field-email-error"')
  expect([await leadsOf(started), await heldOf(started)]).toEqual([[], []])
  // The correction is sent immediately, with the time of the first page.
  const opened = /name="opened" value="([^"]+)"/.exec(refused.text)![1]!
  const values = {
    contactName: 'Zoë',
    email: 'zoe@aalto.example',
    companyName: 'Aalto',
    consent: 'yes',
    opened,
  }
  expect((await sendForm(started, started.path, values)).status).toBe(200)
  expect(await leadsOf(started)).toHaveLength(1)
})

test('hostile values are stored as text, or refused', async () => {
  const started = await withForm()
  const base = { contactName: 'Zoë', email: 'zoe@aalto.example', companyName: 'Aalto' }
  for (const bad of ['a\0b', '\ud800', 'x'.repeat(4001)]) {
    const refused = await fillIn(started, started.path, { ...base, message: bad })
    // A lone surrogate can't be sent as a form: it arrives as a replacement character.
    expect([bad.length, refused.status]).toEqual([bad.length, bad === '\ud800' ? 200 : 422])
  }
  const many = await sendForm(started, started.path, { ...base, companyName: 'x'.repeat(2_000_000) })
  expect(many.status).toBe(413)
})

test('a hidden field, a form that is sent immediately, and one that was never opened are held, and the visitor isn’t told', async () => {
  const started = await withForm(['admin'])
  const values = { contactName: 'Bot', email: 'bot@spam.example', companyName: 'Spam' }
  const trapped = await fillIn(started, started.path, { ...values, fax_number: '1' })
  const fast = await fillIn(started, started.path, values, 2000)
  const unopened = await sendForm(started, started.path, values)
  const other = await fillIn(started, started.path, {
    ...values,
    opened: 'abc.abcdefghijklmnopqrstuvwxyzabcdef',
  })
  for (const { status, text } of [trapped, fast, unopened, other])
    expect([status, text.includes('Thank you.')]).toEqual([200, true])
  expect(await leadsOf(started)).toEqual([])
  const held = await heldOf(started)
  expect(held.map(({ reason }) => reason)).toEqual(['no_time', 'no_time', 'too_fast', 'hidden_field'])
  expect(held[0]).toMatchObject({ same_address: 4, values })
  const rows = await started.db.selectFrom('web_form_entries').select('address_hash').execute()
  expect(rows.some(({ address_hash }) => address_hash.includes('127.0.0.1'))).toBe(false)
})

test('a held entry becomes a lead with one request, once, or is deleted', async () => {
  const started = await withForm(['crm', 'admin'], { consent: 'I agree.' })
  const { as } = started
  await fillIn(started, started.path, {
    contactName: 'Zoë',
    email: 'no address',
    fax_number: '1',
    consent: 'yes',
  })
  await fillIn(started, started.path, { contactName: 'Bot', email: 'bot@spam.example', fax_number: '1' })
  const [bot, zoe] = await heldOf(started)
  const accepted = await as('admin').post(`${settingsPath}/held/${zoe!.id}/accept`, {})
  expect(accepted.status).toBe(200)
  expect(await leadsOf(started)).toMatchObject([
    { lead_id: accepted['lead_id'], company_name: 'Zoë', email: '', user_name: 'crm' },
  ])
  expect((await notesOf(started))[0]!.body).toBe(
    'Work email: no address\n\nAgreed on 16 Mar 2026 to: “I agree.”',
  )
  expect((await as('admin').post(`${settingsPath}/held/${zoe!.id}/accept`, {})).status).toBe(404)
  // An entry of another product doesn't exist under this one.
  expect((await as('admin').send('DELETE', `/admin/settings/web-forms/2/held/${bot!.id}`)).status).toBe(404)
  expect((await as('admin').send('DELETE', `${settingsPath}/held/${bot!.id}`)).status).toBe(200)
  expect([await heldOf(started), (await leadsOf(started)).length]).toEqual([[], 1])
})

const send = (started: TestApp & { path: string }, email: string) =>
  fillIn(started, started.path, { contactName: 'Zoë', email, companyName: 'Aalto' })

test('people take turns; one who is deactivated or lost the product is skipped, and is next when they return', async () => {
  const started = await withForm(['admin', 'super_admin', 'crm'])
  const { db, as, clock } = started
  const canOpen = (await settingsOf(started)).people.some(({ id }) => id === as('crm').id)
  expect(canOpen).toBe(true)
  const ban = (banned_at: string | null) =>
    db.updateTable('staff').set({ banned_at }).where('id', '=', as('super_admin').id).execute()
  const next = async (email: string) => {
    await send(started, email)
    return (await leadsOf(started)).at(-1)!.user_name
  }
  expect([await next('a@x.example'), await next('b@x.example')]).toEqual(['admin', 'super_admin'])
  await db
    .updateTable('staff')
    .set({ banned_at: clock.now().toISOString() })
    .where('id', '=', as('crm').id)
    .execute()
  expect([await next('c@x.example')]).toEqual(['admin'])
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '=', 1)
    .execute()
  expect([await next('d@x.example'), await next('e@x.example')]).toEqual(['super_admin', 'super_admin'])
  await db.updateTable('staff').set({ banned_at: null }).where('id', '=', as('crm').id).execute()
  expect(await next('f@x.example')).toBe('crm')
  await ban(null)
  await db.deleteFrom('web_form_people').execute()
  expect(await next('g@x.example')).toBeNull()
})

test('someone who is away is skipped until they are back, and the settings say so', async () => {
  const started = await withForm(['admin', 'super_admin'])
  const { as, clock } = started
  const away = (until: string | null) =>
    as('admin').post(`/admin/admin-users/${as('admin').id}/away`, { until })
  const until = plainDate(clock.now())
  await away(until)
  await send(started, 'a@x.example')
  const { people, next } = await settingsOf(started)
  expect([people.find(({ id }) => id === as('admin').id)!.away, next]).toEqual([
    { until },
    people.find(({ id }) => id === as('super_admin').id)!.name,
  ])
  clock.advance(2 * 86_400_000)
  await send(started, 'b@x.example')
  expect((await leadsOf(started)).map(({ user_name }) => user_name)).toEqual(['super_admin', 'admin'])
})

test('forms that are sent at the same time go to different people, and the same address becomes one lead', async () => {
  const started = await withForm(['admin', 'super_admin'])
  const opened = await openStamp(started)
  const values = { contactName: 'Zoë', companyName: 'Aalto', opened }
  await Promise.all(
    ['a', 'b'].map((name) => sendForm(started, started.path, { ...values, email: `${name}@x.example` })),
  )
  expect((await leadsOf(started)).map(({ user_name }) => user_name).toSorted()).toEqual([
    'admin',
    'super_admin',
  ])
  await Promise.all(
    ['c', 'C', 'c'].map((name) => sendForm(started, started.path, { ...values, email: `${name}@x.example` })),
  )
  expect(await leadsOf(started)).toHaveLength(3)
})

async function openStamp(started: TestApp & { path: string }): Promise<string> {
  const page = await client(started.app, '').get(started.path)
  started.clock.advance(5000)
  return /name="opened" value="([^"]+)"/.exec(page.text)![1]!
}

test('an address that an open lead of the product has adds a note to it; a closed lead, or another product’s, doesn’t count', async () => {
  const started = await withForm(['admin'])
  const { db, as } = started
  const other = await enterLead(db, { email: 'zoe@aalto.example', lead_for: 2 })
  const rejected = await enterLead(db, { email: 'zoe@aalto.example', status: 8, reject_msg: 'No' })
  const open = await enterLead(db, { email: 'Zoe@Aalto.example', assign_to: as('super_admin').id })
  await fillIn(started, started.path, {
    contactName: 'Zoë',
    email: 'zoe@aalto.example',
    companyName: 'Aalto',
    message: 'Any news?',
  })
  expect((await leadsOf(started)).map(({ lead_id }) => lead_id)).toEqual([other, rejected, open])
  expect(await notesOf(started)).toEqual([
    {
      record_id: open,
      staff_id: null,
      body: 'Sent the web form “Talk to us” again.\n\nAny news?\n\nYour name: Zoë\nWork email: zoe@aalto.example\nCompany: Aalto',
    },
  ])
  expect((await as('super_admin').get('/admin/notices'))['data']).toMatchObject([
    { record_id: open, words: 'Sent the web form again.' },
  ])
  await db.updateTable('leads').set({ status: 8, reject_msg: 'No' }).where('lead_id', '=', open).execute()
  await fillIn(started, started.path, {
    contactName: 'Zoë',
    email: 'zoe@aalto.example',
    companyName: 'Aalto',
  })
  expect(await leadsOf(started)).toHaveLength(4)
})

test('an address can send a form five times an hour, whatever it corrects before; the page keeps what was typed', async () => {
  const started = await withForm([], {}, { env: { RATE_LIMITS: 'on' } })
  const statuses: number[] = []
  await fillIn(started, started.path, { email: 'wrong' })
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    statuses.push((await send(started, `${name}@x.example`)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200])
  const refused = await send(started, 'f@x.example')
  expect([refused.status, refused.text.includes('value="f@x.example"')]).toEqual([429, true])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(900)
  expect(await leadsOf(started)).toHaveLength(5)
})

test('the consent that a lead has is the text that was shown, with the day of its text', async () => {
  const started = await withForm([], { consent: 'I agree.' })
  const first = await settingsOf(started)
  started.clock.advance(86_400_000)
  const kept = await saveForm(started, { title: 'Write to us' })
  expect([kept.consent, kept.consent_since]).toEqual(['I agree.', first.consent_since])
  const changed: StoredWebForm = await saveForm(started, { consent: 'I agree to everything.' })
  expect(changed.consent_since).toBe('2026-03-17T10:00:00.000Z')
})

test('entries are held for 90 days', async () => {
  const started = await withForm()
  await fillIn(started, started.path, { contactName: 'Bot', email: 'bot@spam.example', fax_number: '1' })
  const count = async () => (await started.db.selectFrom('web_form_entries').select('id').execute()).length
  started.clock.advance(89 * 86_400_000)
  await dropOldEntries(started.app)
  expect(await count()).toBe(1)
  started.clock.advance(2 * 86_400_000)
  await dropOldEntries(started.app)
  expect(await count()).toBe(0)
})
