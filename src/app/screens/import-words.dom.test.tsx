import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'

/* Words of a file that no entry of a list has. */

const bytes = `Company,Status,Source
Alder,Gewonnen,Fair
Birch,New,Website`

test('after a preview, each unknown word asks what it means, at its column', async () => {
  const app = await startTestApp()
  const form = { lead_for: '1', file: { name: 'list.csv', bytes, type: 'text/csv' } }
  const { data } = await app.as('crm').post('/admin/users/lead-imports', undefined, { form })
  await openPanel(app, 'crm', `/demo-leads/import?import=${data.id}`)
  fireEvent.click(await screen.findByRole('button', { name: 'Preview import' }))
  await screen.findByText(/^Not in the lists: “Gewonnen”, “Fair”. Their rows are errors./)
  screen.getByRole('button', { name: 'Import 1 row' })

  fireEvent.click(screen.getByRole('button', { name: 'Edit mapping' }))
  const meaning = await screen.findByLabelText<HTMLSelectElement>('Rows with “Gewonnen”')
  expect([...meaning.options].map(({ text }) => text)).toEqual(
    expect.arrayContaining(['Errors', 'Leave empty', 'Won']),
  )
  // An import rejects no lead.
  expect([...meaning.options].map(({ text }) => text)).not.toContain('Rejected')
  fill(meaning, '=Won')
  fill(screen.getByLabelText('Rows with “Fair”'), '=')
  fireEvent.click(screen.getByRole('button', { name: 'Preview import' }))
  await screen.findByRole('button', { name: 'Import 2 rows' })
  expect(screen.queryByText(/^Not in the lists/)).toBeNull()

  // The choice stays in the mapping.
  fireEvent.click(screen.getByRole('button', { name: 'Edit mapping' }))
  expect((await screen.findByLabelText<HTMLSelectElement>('Rows with “Gewonnen”')).value).toBe('=Won')
})

test('the meaning of a word is proposed in the next import, says so, and can be changed', async () => {
  const app = await startTestApp()
  const form = { lead_for: '1', file: { name: 'list.csv', bytes, type: 'text/csv' } }
  const upload = async () =>
    (await app.as('crm').post('/admin/users/lead-imports', undefined, { form }))['data']
  const first = await upload()
  const words = [
    { field: 'status', word: 'Gewonnen', entry: 'Won' },
    { field: 'hear_about', word: 'Fair', entry: '' },
  ]
  const path = `/admin/users/lead-imports/${first.id}`
  await app.as('crm').post(`${path}/dry-run`, { ...first.mapping, words })
  await app.as('crm').post(`${path}/run`, { today: '2026-03-16' })

  await openPanel(app, 'crm', `/demo-leads/import?import=${(await upload()).id}`)
  const meaning = await screen.findByLabelText<HTMLSelectElement>('Rows with “Gewonnen”')
  expect(meaning.value).toBe('=Won')
  expect(screen.getByLabelText<HTMLSelectElement>('Rows with “Fair”').value).toBe('=')
  expect(screen.getAllByText('From an earlier import.')).toHaveLength(2)
  fill(meaning, '=Interested')
  await waitFor(() => expect(screen.getAllByText('From an earlier import.')).toHaveLength(1))
})
