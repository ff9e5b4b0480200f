import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'

/* Undoing an import, or the creation of a record, leaves records as they are that someone has worked on since. */

const at = '/admin/users/lead-imports'

/** Imports a file; returns the import's operation, and its leads by company. */
async function imported({ as, db }: TestApp, csv: string) {
  const crm = as('crm')
  const form = { lead_for: '1', file: { name: 'list.csv', bytes: csv, type: 'text/csv' } }
  const { data } = await crm.post(at, undefined, { form })
  await crm.post(`${at}/${data.id}/dry-run`, data.mapping)
  await crm.post(`${at}/${data.id}/run`)
  const shown = async () => (await crm.get(`${at}/${data.id}`)).data
  await expect.poll(async () => (await shown()).state, { interval: 100 }).toBe('done')
  const leads = await db.selectFrom('leads').select(['lead_id', 'company_name']).execute()
  return {
    operation: (await shown()).operation_id as number,
    idOf: (company: string) => leads.find(({ company_name }) => company_name === company)!.lead_id,
  }
}

const inTrash = async ({ db }: TestApp) =>
  (
    await db
      .selectFrom('leads')
      .select('company_name')
      .where('deleted_at', 'is not', null)
      .orderBy('lead_id')
      .execute()
  ).map(({ company_name }) => company_name)

/** What hangs on a lead, how it is added, and the reason that the undo of an import gives. */
const works: Record<
  string,
  [what: string | null, add: (app: TestApp, lead: number) => Promise<{ status: number }>]
> = {
  Note: [
    'a note',
    ({ as }, lead) => as('crm').post(`/admin/general/notes/lead/${lead}`, { note: 'Called.' }),
  ],
  Call: ['a call', ({ as }, lead_id) => as('crm').post('/admin/users/lead-calls', { lead_id, outcome: 1 })],
  Email: [
    'an email',
    ({ as }, lead) =>
      as('crm').post(`/admin/mails/lead/${lead}`, {
        to: ['anna@aalto.example'],
        subject: 'Towels',
        content: '<p>Hello</p>',
      }),
  ],
  Session: [
    // It changes the lead, as the list says by who did it and when.
    null,
    ({ as }, lead_id) =>
      as('crm').post('/admin/users/save-demo-session', { lead_id, sessions: [{ type: 'Demo' }] }),
  ],
  Contact: [
    'another contact',
    ({ as }, lead_id) => as('crm').post('/admin/users/lead-contacts', { lead_id, name: 'Zoë' }),
  ],
  Answer: [
    'an answer',
    async ({ as, db }, lead_id) => {
      const { rows } = await sql<{
        id: number
      }>`select id from prospection_questions order by id limit 1`.execute(db)
      return as('crm').post('/admin/users/prospection-questions', {
        lead_id,
        answers: [{ question_id: rows[0]!.id, answer: 'Yes' }],
      })
    },
  ],
  Task: [
    'a quick task',
    ({ as }, lead) =>
      as('crm').post('/common/quick-task', {
        title: 'Send it',
        person: as('crm').id,
        entity: 'lead',
        entity_id: lead,
      }),
  ],
}

test('undoing an import leaves the leads that someone has worked on since, and lists each with the reason', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const csv = `Company,Contact 2 name\nUntouched,Vera\n${Object.keys(works)
    .map((name) => `${name},`)
    .join('\n')}\nFile,\nReminder,\n`
  const { operation, idOf } = await imported(app, csv)
  for (const [name, [, add]] of Object.entries(works))
    expect([name, (await add(app, idOf(name))).status]).toEqual([name, 200])
  const file = await as('crm').post('/files/stage', undefined, {
    form: { file: { name: 'offer.txt', bytes: Buffer.from('340 towels') } },
  })
  await sql`insert into file_links (file_id, record_type, record_id, role, created_by)
    values (${file.data.id}, 'lead', ${idOf('File')}, 'attachment', ${as('crm').id})`.execute(db)
  await db
    .insertInto('reminders')
    .values({ lead_id: idOf('Reminder'), staff_id: as('crm').id, due_on: '2026-03-20' })
    .execute()
  const expected = [
    ...Object.entries(works).map(([name, [what]]) => [name, what && `It has ${what} since then.`]),
    ['File', 'It has a file since then.'],
    ['Reminder', 'It has a reminder since then.'],
  ]
  const shown = async () => {
    const { changed_since, ...rest } = await as('crm').get(`/admin/users/lead-operations/${operation}`)
    const listed = changed_since as { companyName: string; why: string | null }[]
    return { ...rest, listed: listed.map(({ companyName, why }) => [companyName, why]) }
  }
  expect(await shown()).toMatchObject({ listed: expected, restorable: 1 })
  expect(await as('crm').post(`/admin/operations/${operation}/undo`)).toMatchObject({
    undone: 1,
    message:
      'Undone: 1 lead moved to the trash. One was skipped because it has changed since then. 8 stay as they are.',
  })
  expect(await inTrash(app)).toEqual(['Untouched'])
  expect(await shown()).toMatchObject({
    listed: expected,
    data: { state: 'undone', changed: 10, skipped: 9 },
  })
  expect(await as('crm').post(`/admin/operations/${operation}/redo`)).toMatchObject({
    message: 'Redone: 1 lead restored from the trash.',
  })
  expect(await inTrash(app)).toEqual([])
})

test('work that was removed again doesn’t keep a lead, and neither does work on a lead that an import updated', async () => {
  const app = await startTestApp()
  const { as } = app
  const first = await imported(app, 'External ID,Company\nA1,Aalto\n')
  const lead = first.idOf('Aalto')
  const note = await as('crm').post(`/admin/general/notes/lead/${lead}`, { note: 'Called.' })
  const second = await imported(app, 'External ID,Company\nA1,Aalto Linen\n')
  expect(await as('crm').post(`/admin/operations/${second.operation}/undo`)).toMatchObject({
    undone: 1,
    message: 'Undone: Aalto restored.',
  })
  expect(await as('crm').post(`/admin/operations/${first.operation}/undo`)).toMatchObject({
    undone: 0,
    message: 'Nothing was undone: Aalto: It has a note since then.',
  })
  await as('crm').post(`/admin/operations/${note['operation'].id}/undo`)
  expect(await as('crm').post(`/admin/operations/${first.operation}/undo`)).toMatchObject({ undone: 1 })
  expect(await inTrash(app)).toEqual(['Aalto'])
})

test('the creation of a lead with a note is not undone, and the reason is given', async () => {
  const { as } = await startTestApp()
  const created = await as('crm').post('/admin/users/save-demo-requests', {
    companyName: 'Aalto',
    lead_for: 1,
  })
  await as('crm').post(`/admin/general/notes/lead/${created['data'].lead_id}`, { note: 'Called.' })
  expect(await as('crm').post(`/admin/operations/${created['operation'].id}/undo`)).toMatchObject({
    undone: 0,
    message: 'Nothing was undone: Aalto: It has a note since then.',
  })
})
