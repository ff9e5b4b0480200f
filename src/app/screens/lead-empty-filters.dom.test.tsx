import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { choose, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/* The filters of the lead list by fields with and without a value, and their chips. */

const names = () =>
  screen
    .queryAllByRole('rowheader')
    .map(({ textContent }) => textContent)
    .toSorted()
const listed = (...expected: string[]) => waitFor(() => expect(names()).toEqual(expected))
const active = () => screen.queryByRole('list', { name: 'Active filters' })?.textContent ?? ''

test('leads are filtered by fields that are empty or not, in the address and as chips', async () => {
  const app = await startTestApp()
  await enterLead(app.db, { company_name: 'Alder', email: 'a@alder.example', followup_date: '2026-03-20' })
  await enterLead(app.db, { company_name: 'Birch', email: 'b@birch.example' })
  await enterLead(app.db, { company_name: 'Cedar' })
  const { address } = await openPanel(app, 'crm', '/demo-leads?fromDate=all&toDate=all')
  await listed('Alder', 'Birch', 'Cedar')
  fireEvent.click(screen.getByRole('button', { name: 'More filters' }))
  await choose(() => screen.getByLabelText('Is not empty'), 'Email')
  await listed('Alder', 'Birch')
  expect(address()).toContain('field_filter[]=email%3Afilled')
  await choose(() => screen.getByLabelText('Is empty'), 'Follow-up')
  await listed('Birch')
  expect(active()).toContain('Email: not empty')
  expect(active()).toContain('Follow-up: empty')

  // The other condition on the same field replaces the first.
  await choose(() => screen.getByLabelText('Is empty'), 'Email')
  await listed('Cedar')
  fireEvent.click(screen.getByRole('button', { name: 'Remove filter Email: empty' }))
  await listed('Birch', 'Cedar')
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  await listed('Alder', 'Birch', 'Cedar')
  expect(address()).not.toContain('field_filter')
  await choose(() => screen.getByLabelText('Next step'), 'No next step')
  await listed('Birch', 'Cedar')
  expect(active()).toContain('Next step: No next step')
})
