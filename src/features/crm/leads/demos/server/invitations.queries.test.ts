import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { timesOf } from '#features/crm/leads/demos/server/invitations.queries.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { startMailServer } from '#server/mail/mail.testing.ts'

const at = '/admin/users'
const first = '2026-11-26T23:00:00Z'
const second = '2026-11-28T15:30:00Z'

async function withLead(more: object = {}) {
  const started = await startTestApp()
  const lead_id = await enterLead(started.db, {
    email: 'Zoe@tamsel.example',
    contact_name: 'Zoë',
    timezone: 'US/Pacific',
    ...more,
  })
  const save = (session: object) =>
    started.as('crm').post(`${at}/save-demo-session`, { lead_id, sessions: [session] })
  const mails = () =>
    started.db.selectFrom('mails').select(['kind', 'subject', 'text', 'calendar']).orderBy('id').execute()
  const lines = (calendar: string | null) => (calendar ?? '').replaceAll('\r\n ', '').split('\r\n')
  return { ...started, lead_id, save, mails, lines }
}

test('an agreed session is a calendar file: REQUEST, a higher sequence after each change, then CANCEL', async () => {
  const { as, save, mails, lines } = await withLead()
  const created = await save({ type: 'Demo', final_date: first, invite: true })
  expect(created.status).toBe(200)
  const { id } = created['data'][0]
  await save({ id, final_comment: 'Bring the tags' })
  expect(await mails()).toHaveLength(1)
  await save({ id, final_date: second })
  expect(await as('crm').post(`${at}/update-demo-status`, { demoId: id, status: 0 })).toMatchObject({
    status: 200,
  })

  const sent = await mails()
  expect(sent.map(({ kind }) => kind)).toEqual(['session-scheduled', 'session-changed', 'session-canceled'])
  const calendars = sent.map(({ calendar }) => lines(calendar))
  const [request, update, cancel] = calendars
  expect(request).toEqual(
    expect.arrayContaining([
      'METHOD:REQUEST',
      'SEQUENCE:0',
      'DTSTART:20261126T230000Z',
      'DTEND:20261127T000000Z',
    ]),
  )
  expect(update).toEqual(expect.arrayContaining(['METHOD:REQUEST', 'SEQUENCE:1', 'DTSTART:20261128T153000Z']))
  expect(cancel).toEqual(
    expect.arrayContaining(['METHOD:CANCEL', 'SEQUENCE:2', 'STATUS:CANCELLED', 'DTSTART:20261128T153000Z']),
  )
  const uids = calendars.map((one) => one.find((line) => line.startsWith('UID:')))
  expect(new Set(uids).size).toBe(1)
  for (const one of calendars) expect(one.join('\n')).toMatch(/ATTENDEE;.*zoe@tamsel\.example/i)
  for (const { text } of sent) expect(text).toMatch(/\(US\/Pacific, PST\), .*\(US\/Eastern, EST\)/)
})

test('without the wish to invite, nothing is emailed, and a session without a time invites no one', async () => {
  const { save, mails } = await withLead()
  const { data } = await save({ type: 'Demo', final_date: first })
  await save({ id: data[0].id, final_date: second })
  await save({ type: 'Demo', requested_date: first, invite: true })
  expect(await mails()).toEqual([])
  // Control: the first session can be invited to later, and again after it was canceled.
  await save({ id: data[0].id, invite: true })
  expect(await mails()).toHaveLength(1)
  await save({ id: data[0].id, invite: true })
  expect(await mails()).toHaveLength(1)
  await save({ id: data[0].id, final_date: null })
  await save({ id: data[0].id, final_date: first, invite: true })
  expect((await mails()).map(({ kind }) => kind)).toEqual([
    'session-scheduled',
    'session-canceled',
    'session-scheduled',
  ])
})

test('a lead without an email address can’t be invited, and nothing is saved', async () => {
  const { save, mails, db } = await withLead({ email: '' })
  expect(await save({ type: 'Demo', final_date: first, invite: true })).toMatchObject({
    status: 422,
    errors: { invite: [expect.any(String)] },
  })
  expect(await mails()).toEqual([])
  expect(await db.selectFrom('lead_demos').select('id').execute()).toEqual([])
})

test('hostile names add no line to the calendar file', async () => {
  const { save, mails, lines } = await withLead({ contact_name: 'Zoë\nATTENDEE:mailto:evil@x.example' })
  await save({ type: 'Demo', final_date: first, invite: true })
  const [mail] = await mails()
  expect(lines(mail!.calendar).filter((line) => line.startsWith('ATTENDEE'))).toHaveLength(1)
})

test('the calendar file reaches the mail server as an alternative with its method', async () => {
  const server = await startMailServer()
  const started = await startTestApp({ env: { SMTP_URL: server.url } })
  const lead_id = await enterLead(started.db, { email: 'zoe@tamsel.example' })
  await started.as('crm').post(`${at}/save-demo-session`, {
    lead_id,
    sessions: [{ type: 'Demo', final_date: first, invite: true }],
  })
  await expect.poll(() => server.received).toHaveLength(1)
  expect(server.received[0]!.raw).toMatch(/Content-Type: text\/calendar; charset=utf-8; method=REQUEST/i)
  expect(server.received[0]!.raw).toMatch(/filename="?session\.ics/)
})

test.each([
  ['US/Pacific', '26 Nov 2026 at 15:00 (US/Pacific, PST), 18:00 (US/Eastern, EST)'],
  ['US/Eastern', '26 Nov 2026 at 18:00 (US/Eastern, EST)'],
  ['America/New_York', '26 Nov 2026 at 18:00 (America/New_York, EST)'],
  ['UTC', '26 Nov 2026 at 23:00 (UTC), 18:00 (US/Eastern, EST)'],
  ['Europe/Berlin', '27 Nov 2026 at 00:00 (Europe/Berlin, UTC+1), 26 Nov 2026 at 18:00 (US/Eastern, EST)'],
])('a time in %s is %s', (zone, words) => {
  expect(timesOf(first, zone)).toBe(words)
})

test('guests are invited with length and place, get each change, and a cancellation when they are removed', async () => {
  const { db, save, mails, lines } = await withLead()
  const guests = ['sam@tamsel.example', 'jude@tamsel.example']
  const place = 'https://meet.example/paula'
  const session = { type: 'Demo', final_date: first, minutes: 45, place, guests, invite: true }
  const { id } = (await save(session))['data'][0]
  await save({ id, minutes: 30 })
  await save({ id, guests: ['sam@tamsel.example'] })
  await save({ id, final_comment: 'Bring the tags' })
  const sent = await mails()
  expect(sent.map(({ kind }) => kind)).toEqual([
    'session-scheduled',
    'session-changed',
    'session-changed',
    'session-canceled',
  ])
  const [request, shorter] = sent.map(({ calendar }) => lines(calendar))
  expect(request).toEqual(expect.arrayContaining(['DTEND:20261126T234500Z', `LOCATION:${place}`]))
  expect(shorter).toContain('DTEND:20261126T233000Z')
  expect(sent[0]!.text).toContain(place)
  const to = await db.selectFrom('mail_recipients').select(['mail_id', 'address']).orderBy('id').execute()
  const of = (mail: number) => to.filter((one) => one.mail_id === mail).map(({ address }) => address)
  const mailIds = [...new Set(to.map(({ mail_id }) => mail_id))].toSorted((a, b) => a - b)
  expect(mailIds.map((mail) => of(mail).toSorted())).toEqual([
    ['jude@tamsel.example', 'sam@tamsel.example', 'zoe@tamsel.example'],
    ['jude@tamsel.example', 'sam@tamsel.example', 'zoe@tamsel.example'],
    ['sam@tamsel.example', 'zoe@tamsel.example'],
    ['jude@tamsel.example'],
  ])
})
