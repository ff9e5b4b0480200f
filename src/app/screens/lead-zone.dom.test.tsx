import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { choose, fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'

/* The time zone in the form of a new lead. */

async function openForm() {
  const app = await startTestApp()
  await openPanel(app, 'crm', '/demo-leads?fromDate=all&toDate=all')
  fireEvent.click(await screen.findByRole('button', { name: 'New lead' }))
  // Until the options are there, another dialog says that they load.
  await screen.findByRole('button', { name: 'Create lead' })
  return { app, form: within(screen.getByRole('dialog', { name: 'New lead' })) }
}
type Form = Awaited<ReturnType<typeof openForm>>['form']
const zoneOf = (form: Form) => form.getByLabelText<HTMLSelectElement>(/^Time zone/)
const here = Intl.DateTimeFormat().resolvedOptions().timeZone

test('the time zone follows the phone number, says so, and is kept once the user chooses another', async () => {
  const { app, form } = await openForm()
  expect(zoneOf(form).value).toBe(here)
  form.getByText('Your time zone, until the phone number or the country says more.')
  fill(form.getByLabelText('Phone'), '+358 40 1234567')
  await form.findByText('From the phone number (Finland).')
  expect(zoneOf(form).value).toBe('Europe/Helsinki')
  fill(form.getByLabelText('Phone'), '+49 30 901820')
  await form.findByText('From the phone number (Germany).')
  await choose(() => zoneOf(form), 'Asia/Tokyo')
  fill(form.getByLabelText('Phone'), '+358 40 1234567')
  fill(form.getByLabelText(/^Company/), 'Aalto')
  await choose(() => form.getByLabelText(/^Product/), 'Linen')
  fireEvent.click(form.getByRole('button', { name: 'Create lead' }))
  await waitFor(async () =>
    expect(await app.db.selectFrom('leads').select('timezone').execute()).toEqual([
      { timezone: 'Asia/Tokyo' },
    ]),
  )
})

test('a phone number that was typed just before saving decides, too', async () => {
  const { app, form } = await openForm()
  fill(form.getByLabelText(/^Company/), 'Aalto')
  await choose(() => form.getByLabelText(/^Product/), 'Linen')
  fill(form.getByLabelText('Phone'), '+358 40 1234567')
  fireEvent.click(form.getByRole('button', { name: 'Create lead' }))
  await waitFor(async () =>
    expect(await app.db.selectFrom('leads').select('timezone').execute()).toEqual([
      { timezone: 'Europe/Helsinki' },
    ]),
  )
})
