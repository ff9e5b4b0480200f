import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { asked, renderPage, settle, signIn, type Asked } from '#web/dom.testing.tsx'
import { MissingRecord } from '#web/record/MissingRecord.tsx'

const Page = () => <MissingRecord type="lead" id={7} />
const reply = (data: readonly object[]) => ({ success: true, data, total: data.length, per_page: 20 })
const trashed = {
  id: 7,
  name: 'Aalto',
  note: '',
  deleted_at: '2026-03-02T09:00:00.000Z',
  deleted_by: 'Paula',
  merged_into: null,
}

/** Waits for a request to an address. The page’s parts request others, too. */
const requestOf = (address: string): Promise<Asked> =>
  waitFor(() => {
    const found = asked.find((one) => one.address === address)
    if (!found) throw new Error(`No request of ${address}`)
    return found
  })

async function open(data: readonly object[]): Promise<void> {
  signIn(['lead_edit', 'lead_detail'])
  await renderPage(Page)
  const request = await requestOf('/api/admin/records/lead/trash?id=7')
  request.answer(200, reply(data))
  await act(settle)
}

test('the page of a lead that was merged names who merged it and the one that stays', async () => {
  await open([{ ...trashed, merged_into: 12 }])
  expect((await screen.findByRole('status')).textContent).toContain('Paula merged this lead into #12')
  expect(screen.getByRole('button', { name: 'Restore' })).toBeTruthy()
})

test('the page of a lead in the trash names who moved it there, and restores it', async () => {
  await open([trashed])
  expect((await screen.findByRole('status')).textContent).toContain('Paula moved this lead to the trash')
  screen.getByRole('button', { name: 'Restore' }).click()
  expect(await requestOf('/api/admin/records/lead/restore')).toMatchObject({
    method: 'POST',
    body: { ids: [7] },
  })
})

test('an unknown lead is not found', async () => {
  await open([])
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Not Found - 404')
  expect([screen.queryByRole('status'), screen.queryByRole('button', { name: 'Restore' })]).toEqual([
    null,
    null,
  ])
})
