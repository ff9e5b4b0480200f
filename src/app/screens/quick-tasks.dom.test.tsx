import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPanel, undoLast } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'

test('the user’s quick tasks are on the page of all tasks; several are completed in one operation, which is undone', async () => {
  const app = await startTestApp()
  for (const title of ['Fold the first pile', 'Fold the second pile'])
    await app.as('developer').post('/common/quick-task', { title })
  const { go } = await openPanel(app, 'developer', '/tasks')
  const mine = within(await screen.findByRole('region', { name: 'Quick tasks' }))
  await mine.findByRole('button', { name: 'Done: Fold the first pile' })

  await go('/quick-task/my-task?search=Fold%20the')
  const rows = () => screen.queryAllByRole('row', { name: /Fold the/ })
  const dated = () => rows().filter(({ textContent }) => /\d{4}/.test(textContent))
  await waitFor(() => expect(rows()).toHaveLength(2))
  for (const which of ['first', 'second'])
    fireEvent.click(screen.getByRole('checkbox', { name: `Select Fold the ${which} pile` }))
  fireEvent.click(await screen.findByRole('button', { name: 'Mark as done' }))
  await waitFor(() => expect(rows()).toHaveLength(0))
  await undoLast()
  await waitFor(() => expect(rows()).toHaveLength(2))
  // A quick task is postponed with one click, and the change can be undone as well.
  expect(dated()).toHaveLength(0)
  fireEvent.click(within(rows()[0]!).getByRole('button', { name: /^Move to tomorrow/ }))
  await waitFor(() => expect(dated()).toHaveLength(1))
  await undoLast()
  await waitFor(() => expect(dated()).toHaveLength(0))
})
