import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { SkippedLeads } from '#features/crm/leads/operations/web/SkippedLeads.tsx'
import { asked, nextRequest, renderPage, signIn } from '#web/dom.testing.tsx'

const skipped = {
  data: {
    id: 5,
    record_type: 'lead',
    kind: 'import',
    at: '2026-03-16T10:00:00Z',
    staff_id: 7,
    needs: 'lead_create',
    state: 'undone',
    summary: 'Imported list.csv: 13 leads',
    seen: 0,
    changed: 13,
    undone_at: '2026-03-16T11:00:00Z',
    total: 13,
    skipped: 12,
    who: 'Ada Berg',
    undone_by: 'Ada Berg',
    stopped: null,
  },
  changed_since: [
    { lead_id: 2, companyName: 'Towel 2', who: 'Ada Berg', at: '2026-03-16T10:30:00Z', why: null },
  ],
  changed_since_total: 12,
  restorable: 0,
  undo_first: { id: 6, summary: 'Priority set to High: 12 leads', who: 'Ada Berg' },
}

test('leads that an undo skipped can be undone once the later change is undone', async () => {
  signIn(['lead_create', 'lead_edit'])
  await renderPage(() => <SkippedLeads id={5} />)
  await act(async () => (await nextRequest(0)).answer(200, skipped))
  expect((await screen.findByText(/To restore these leads, undo/)).textContent).toContain(
    'undo “Priority set to High: 12 leads” by Ada Berg first.',
  )
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull()
})

test('the button undoes the same operation again', async () => {
  signIn(['lead_create', 'lead_edit'])
  await renderPage(() => <SkippedLeads id={5} />)
  await act(async () => (await nextRequest(0)).answer(200, { ...skipped, restorable: 12, undo_first: null }))
  fireEvent.click(await screen.findByRole('button', { name: 'Undo 12 skipped leads' }))
  expect(asked.findLast(({ method }) => method === 'POST')?.address).toBe('/api/admin/operations/5/undo')
})
