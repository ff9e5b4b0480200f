import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Import } from '#features/crm/leads/import/contract.ts'
import { ImportResult } from '#features/crm/leads/import/web/ImportResult.tsx'
import { asked, nextRequest, renderPage, signIn } from '#web/dom.testing.tsx'

const stopped: Import = {
  id: 3,
  file_name: 'list.csv',
  read_as: 'UTF-8',
  state: 'failed',
  headers: ['Company'],
  sample: [['Aalto Linen']],
  row_count: 20_000,
  date_forms: [null],
  decimal_forms: [null],
  mapping: { lead_for: 1, lead_type: 1, columns: ['companyName'] },
  counts: { create: 20_000, update: 0, duplicate: 0, error: 0 },
  wins_without: 0,
  new_tags: [],
  unknown_people: [],
  unknown_words: [],
  possible_duplicates: 0,
  zone: 'UTC',
  rows_done: 800,
  stopped: { line: 802, reason: 'permission', who: 'Paula Ferreira' },
  created_at: '2026-03-16T10:00:00Z',
  finished_at: null,
  who: 'Paula Ferreira',
  operation_id: 9,
}

test.each([
  [1, '1 lead will be won without an organization. '],
  [1200, '1,200 leads will be won without an organization. '],
])('a preview of %i wins says that they have no organization', async (wins_without, words) => {
  signIn(['lead_create'])
  const plan: Import = { ...stopped, state: 'checked', stopped: null, operation_id: null, wins_without }
  await renderPage(() => <ImportResult current={plan} onRemap={() => {}} />)
  screen.getByText(new RegExp(`^${words}`))
})

test('an import that stopped says at which line and why, and is continued', async () => {
  signIn(['lead_create'])
  await renderPage(() => <ImportResult current={stopped} onRemap={() => {}} />)
  expect(screen.getByRole('alert').textContent).toBe(
    'The import stopped at line 802 of the file, after 800 of 20,000 rows: Paula Ferreira no longer has permission for it. Imported rows are kept. Continue it to import the rest in your name.',
  )
  fireEvent.click(screen.getByRole('button', { name: 'Continue import' }))
  const sent = asked.findLast(({ method }) => method === 'POST')!
  expect((await nextRequest(asked.indexOf(sent))).address).toMatch(/lead-imports\/3\/run$/)
})

test('the leads of an import are exactly those that it created or changed', async () => {
  signIn(['lead_create'])
  const done: Import = { ...stopped, state: 'done', stopped: null }
  await renderPage(() => <ImportResult current={done} onRemap={() => {}} />)
  const { searchParams, pathname } = new URL(
    screen.getByRole<HTMLAnchorElement>('link', { name: 'View leads' }).href,
  )
  expect([pathname, Object.fromEntries(searchParams)]).toEqual([
    '/demo-leads',
    { fromDate: 'all', toDate: 'all', import_id: '3' },
  ])
})

test('an import that was undone says so, lists the leads that stayed, and doesn’t offer the undo again', async () => {
  signIn(['lead_create', 'lead_edit'])
  const done: Import = { ...stopped, state: 'done', stopped: null }
  await renderPage(() => <ImportResult current={done} onRemap={() => {}} />)
  const sent = asked.findIndex(({ address }) => address.endsWith('/lead-operations/9'))
  const operation = {
    id: 9,
    record_type: 'lead',
    kind: 'import',
    at: '2026-03-16T10:00:00Z',
    who: 'Paula Ferreira',
    staff_id: 7,
    needs: 'lead_create',
    state: 'undone',
    summary: 'Imported list.csv: 294 leads',
    total: 294,
    seen: 0,
    changed: 294,
    skipped: 2,
    undone_at: '2026-03-16T11:00:00Z',
    undone_by: 'Paula Ferreira',
    stopped: null,
  }
  const aalto = { lead_id: 2, companyName: 'Aalto', who: 'Ada Berg', at: '2026-03-16T10:30:00Z' }
  const changed_since = [{ ...aalto, why: 'It has a note since then.' }]
  const rest = { changed_since, changed_since_total: 2, restorable: 0, undo_first: null }
  await act(async () => (await nextRequest(sent)).answer(200, { data: operation, ...rest }))
  const undone = within(await screen.findByRole('group', { name: 'Undone' }))
  expect(undone.getByRole('status').textContent).toMatch(
    /^Paula Ferreira undid this import \(.+\): of 294 leads, 292 are as they were before it\. Created leads are in the trash\./,
  )
  expect(undone.getByText('It has a note since then.')).toBeTruthy()
  expect(screen.getByRole('heading', { name: '4. Import results before the undo' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Undo import…' })).toBeNull()
})
