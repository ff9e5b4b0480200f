import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'

test('a user chooses in the notices to get assignments by email', async () => {
  const app = await startTestApp()
  const { reload } = await openPanel(app, 'crm', '/')
  const box = async () => {
    fireEvent.click(await screen.findByRole('button', { name: /^Notices/ }))
    return screen.findByRole<HTMLInputElement>('checkbox', { name: /^Also email me/ })
  }
  const choice = await box()
  await waitFor(() => expect(choice.disabled).toBe(false))
  expect(choice.checked).toBe(false)
  fireEvent.click(choice)
  await screen.findByText('Assignments are emailed to you.')
  reload()
  const again = await box()
  await waitFor(() => expect(again.checked).toBe(true))
  expect(await app.db.selectFrom('assignment_emails').selectAll().execute()).toEqual([
    { staff_id: app.as('crm').id },
  ])
})
