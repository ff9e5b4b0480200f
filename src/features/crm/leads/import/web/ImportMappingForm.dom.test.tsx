import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Import } from '#features/crm/leads/import/contract.ts'
import { ImportMappingForm } from '#features/crm/leads/import/web/ImportMappingForm.tsx'
import { asked, nextRequest, renderPage, signIn } from '#web/dom.testing.tsx'

const uploaded: Import = {
  id: 3,
  file_name: 'list.csv',
  read_as: 'UTF-8',
  state: 'uploaded',
  headers: ['Company', 'Added', 'Next', 'Size'],
  sample: [['Aalto Linen', '03/04/2026', '03/04/2026', '46085']],
  row_count: 2,
  date_forms: [null, 'unclear', 'day', 'serial'],
  decimal_forms: [null, null, null, null],
  mapping: {
    lead_for: 1,
    lead_type: 1,
    columns: ['companyName', 'detail', 'followup_date', 'request_date'],
    date_orders: [null, null, 'day', null],
  },
  counts: null,
  wins_without: 0,
  new_tags: [],
  unknown_people: [],
  unknown_words: [],
  possible_duplicates: 0,
  zone: 'UTC',
  rows_done: 0,
  stopped: null,
  created_at: '2026-03-16T10:00:00Z',
  finished_at: null,
  who: 'Ada Berg',
  operation_id: null,
}

const orders = () => screen.getAllByLabelText<HTMLSelectElement>('Day first or month first?')

test('a column of dates asks for the order of day and month, and proposes what its rows show', async () => {
  signIn(['lead_create'])
  await renderPage(() => <ImportMappingForm current={uploaded} onChecked={() => {}} />)
  // The column that shows its order; a detail and spreadsheet numbers need none.
  expect(orders().map(({ value }) => value)).toEqual(['day'])
  fireEvent.change(screen.getByLabelText('Lead field for Added'), { target: { value: 'lead_date' } })
  expect(orders().map(({ value }) => value)).toEqual(['', 'day'])
  fireEvent.change(orders()[0]!, { target: { value: 'month' } })
  fireEvent.click(screen.getByRole('button', { name: 'Preview import' }))
  const sent = asked.indexOf(asked.findLast(({ method }) => method === 'POST')!)
  expect((await nextRequest(sent)).body).toMatchObject({
    columns: ['companyName', 'lead_date', 'followup_date', 'request_date'],
    date_orders: [null, 'month', 'day', null],
  })
})
