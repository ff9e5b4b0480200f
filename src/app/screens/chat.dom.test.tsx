import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'

const chat = () => within(screen.getByRole('complementary', { name: 'chat with authors' }))
const log = () => within(chat().getByRole('log'))

async function openChat(): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name: /^chat with authors/ }))
  await screen.findByLabelText('send a message')
}

test.each([
  [3, 0],
  [10, 1],
  [20, 2],
  [25, 2],
])('with exactly %i messages, the end is reached after %i more loads', async (count, loads) => {
  const { intercept } = await openPanel(await startTestApp(), 'qa', '/dashboard')
  const all = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    message: `Message ${index + 1}`,
    created_at: '2026-03-16T10:00:00.000Z',
    user: { id: 999, slug: 'anna', name: 'Anna Aalto', avatar: null },
  })).toReversed()
  intercept('GET', /^\/admin\/messages\?/, ({ path }) => {
    const query = new URLSearchParams(path.split('?')[1])
    const [limit, before] = [Number(query.get('limit') ?? 10), Number(query.get('id') ?? count + 1)]
    const data = query.has('after') ? [] : all.filter(({ id }) => id < before).slice(0, limit)
    return { status: 200, body: { data } }
  })
  await openChat()
  const shown = (many: number) =>
    waitFor(() => expect(log().getAllByText(/^Message \d+$/)).toHaveLength(Math.min(count, many)))
  await shown(10)
  for (let load = 1; load <= loads; load += 1) {
    expect(chat().queryByText('no more messages')).toBeNull()
    fireEvent.click(chat().getByRole('button', { name: 'load more messages' }))
    await shown(10 * (load + 1))
  }
  await chat().findByText('no more messages')
  expect(chat().queryByRole('button', { name: 'load more messages' })).toBeNull()
  expect(log().getAllByText(/^Message \d+$/)[0]!.textContent).toBe('Message 1')
})

const text = 'See #ticket 91, #lead 482 and #task 7, not #lead 0x1'
const links = async () =>
  within(await log().findByText(/not #lead 0x1/))
    .queryAllByRole('link')
    .map((link) => link.textContent)

test('records named in a message are links', async () => {
  const { address } = await openPanel(await startTestApp(), 'super_admin', '/dashboard')
  await openChat()
  const field = chat().getByLabelText('send a message')
  fill(field, text)
  press('Enter', {}, field)
  await waitFor(async () => expect(await links()).toEqual(['#ticket 91', '#lead 482', '#task 7']))
  fireEvent.click(chat().getByRole('link', { name: '#lead 482' }))
  await waitFor(() => expect(address()).toBe('/demo-leads/lead/482'))
})

test.each([
  ['digital_marketing', ['#lead 482']],
  ['developer', ['#task 7']],
  ['editor', []],
])('of the records named in a message, %s sees as links only those they can open', async (who, wanted) => {
  const app = await startTestApp()
  await app.as('super_admin').post('/admin/messages', { message: text })
  await openPanel(app, who, '/dashboard')
  await openChat()
  expect(await links()).toEqual(wanted)
})

test('a message that failed to send survives a closed chat and a closed tab', async () => {
  const { intercept, reload } = await openPanel(await startTestApp(), 'adh_helper', '/dashboard')
  const end = intercept('POST', /^\/admin\/messages$/, () => {
    throw new TypeError('Failed to fetch')
  })
  await openChat()
  const field = chat().getByLabelText('send a message')
  for (const words of ['Words that never left', 'Words better unsaid']) {
    fill(field, words)
    press('Enter', {}, field)
  }
  await waitFor(() => expect(chat().getAllByText(/^Not sent\./)).toHaveLength(2))
  press('Escape', {}, field)
  const panel = () => screen.queryByRole('complementary', { name: 'chat with authors' })
  await waitFor(() => expect(panel()).toBeNull())
  await openChat()
  await chat().findByText('Words that never left')

  // The chat is still open after a reload.
  reload()
  end()
  await screen.findByLabelText('send a message')
  const unsent = async (words: string) =>
    within((await chat().findByText(words)).closest<HTMLElement>('[data-pending]')!)
  fireEvent.click((await unsent('Words better unsaid')).getByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(chat().queryByText('Words better unsaid')).toBeNull())
  fireEvent.click((await unsent('Words that never left')).getByRole('button', { name: 'Resend' }))
  await waitFor(() => expect(chat().queryByText(/^Not sent\./)).toBeNull())
  await waitFor(() => expect(chat().queryByText('Sending…')).toBeNull())
  expect(log().getAllByText('Words that never left')).toHaveLength(1)
  reload()
  await screen.findByLabelText('send a message')
  expect(await log().findAllByText('Words that never left')).toHaveLength(1)
  expect(log().queryByText('Words better unsaid')).toBeNull()
})
