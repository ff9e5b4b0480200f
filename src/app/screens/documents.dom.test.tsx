import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { chooseFiles, openPanel, skipRetryWaits } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'

test('ten files over an unreliable connection: the upload resumes at the file that was not acknowledged, and none is stored twice', async () => {
  const app = await startTestApp()
  const id = await enterOrganization(app.db)
  const { intercept } = await openPanel(app, 'super_admin', `/organizations/document/aalto/${id}`)
  let [sent, lost] = [0, 0]
  intercept('POST', /^\/files\/stage$/, async (_, forward) => {
    sent += 1
    // The third file arrives, but its response is lost; the fourth file does not arrive at first.
    if (sent === 3) await forward()
    if (sent !== 3 && sent !== 5) return forward()
    lost += 1
    throw new TypeError('Failed to fetch')
  })
  skipRetryWaits()
  const field = await screen.findByLabelText('Files', { selector: 'input' })
  const text = (name: string, content = name, type = 'text/plain') => new File([content], name, { type })
  chooseFiles(field, ...Array.from({ length: 10 }, (_, n) => text(`file-${n}.txt`)))
  await screen.findByRole('button', { name: 'Remove file-9.txt' })
  const list = within(screen.getByRole('list', { name: 'Files' }))
  expect(list.getAllByRole('listitem')).toHaveLength(10)
  expect([sent, lost]).toEqual([12, 2])
  const stored = await app.db.selectFrom('files').select('name').orderBy('name').execute()
  expect(stored.map(({ name }) => name)).toEqual(Array.from({ length: 10 }, (_, n) => `file-${n}.txt`))

  const choose = screen.getByRole<HTMLButtonElement>('button', { name: 'Choose files' })
  expect(choose.disabled).toBe(true)
  fireEvent.click(list.getByRole('button', { name: 'Remove file-3.txt' }))
  await waitFor(() => expect(choose.disabled).toBe(false))
  expect(list.getAllByRole('listitem')).toHaveLength(9)
  chooseFiles(field, text('bad.svg', '<svg/>', 'image/svg+xml'), text('lying.png', 'no picture', 'image/png'))
  await screen.findByText(/^This file type isn’t supported\./)
  await screen.findByText(/lying\.png: the content doesn’t match the file extension/)
})
