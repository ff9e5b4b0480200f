import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'

async function openFeed() {
  fireEvent.click(await screen.findByRole('button', { name: 'Profile of Grace Okafor' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Calendar feed' }))
  return within(await screen.findByRole('dialog', { name: 'Calendar feed' }))
}

/** Answers the question that a button asks. */
const confirm = async (name: string) =>
  fireEvent.click(within(await screen.findByRole('dialog', { name: /\?$/ })).getByRole('button', { name }))

test('the address of a calendar feed is shown once, can be replaced, and ends with the feed', async () => {
  const app = await startTestApp()
  await openPanel(app, 'adh', '/dashboard')
  let dialog = await openFeed()
  const press = (name: string) => fireEvent.click(dialog.getByRole('button', { name }))
  const shown = () => dialog.queryByText(/\/api\/public\/calendar\//)?.textContent
  const read = (address: string) => app.as(undefined).get(address.replace(/^.*\/api/, ''))

  await dialog.findByRole('button', { name: 'Create feed' })
  press('Create feed')
  await dialog.findByText('No calendar has read it yet.', { exact: false })
  const first = shown()!
  expect((await read(first)).status).toBe(200)

  press('Close')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  dialog = await openFeed()
  await dialog.findByText('Last read', { exact: false })
  expect(shown()).toBeUndefined()

  press('Replace address')
  await confirm('Replace')
  await waitFor(() => expect(shown()).toBeDefined())
  expect(shown()).not.toBe(first)
  expect((await read(first)).status).toBe(404)
  expect((await read(shown()!)).status).toBe(200)

  const second = shown()!
  press('Turn off')
  await confirm('Turn off')
  await dialog.findByRole('button', { name: 'Create feed' })
  expect((await read(second)).status).toBe(404)
})
