import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/* Winning a lead from the menus that set its status. */

const wonStatus = 7
const statusOf = async ({ db }: TestApp) =>
  (await db.selectFrom('leads').select('status').orderBy('lead_id').execute()).map(({ status }) => status)

async function chooseWon(name: string): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name: new RegExp(`^Status of ${name}`) }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Won' }))
}

test.each(['/demo-leads', '/demo-leads/lead/1', '/demo-leads/follow-ups?tab=today&assigned_filter=all'])(
  '%s: Won asks for the organization, and can do without',
  async (path) => {
    const app = await startTestApp()
    await enterLead(app.db, { company_name: 'Alder', followup_date: '2026-03-16' })
    await openPanel(app, 'crm', path)
    await chooseWon('Alder')
    const dialog = within(await screen.findByRole('dialog', { name: 'Won: Alder' }))
    expect(await statusOf(app)).toEqual([1])
    fireEvent.click(dialog.getByRole('button', { name: 'Choose organization' }))
    await screen.findByRole('dialog', { name: 'Organization for Alder' })
    fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await statusOf(app)).toEqual([1])

    await chooseWon('Alder')
    const again = within(await screen.findByRole('dialog', { name: 'Won: Alder' }))
    fireEvent.click(again.getByRole('button', { name: 'Win without an organization' }))
    await waitFor(async () => expect(await statusOf(app)).toEqual([wonStatus]))
  },
)

test('a bulk change to Won asks first', async () => {
  const app = await startTestApp()
  await enterLead(app.db, { company_name: 'Alder' })
  await openPanel(app, 'crm', '/demo-leads')
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select Alder' }))
  const bar = within(await screen.findByRole('group', { name: 'Selected rows' }))
  fireEvent.click(await bar.findByRole('button', { name: 'Status' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Won' }))
  await screen.findByText('Win 1 lead without an organization?')
  expect(await statusOf(app)).toEqual([1])
  fireEvent.click(screen.getByRole('button', { name: 'Proceed' }))
  await waitFor(async () => expect(await statusOf(app)).toEqual([wonStatus]))
})
