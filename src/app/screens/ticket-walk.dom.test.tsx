import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPanel, press, write, type OpenPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

/* From a ticket to the next one of the list that it was opened from. */

/** Four tickets, and a list with them, of which the row with the number `at` is opened. */
async function openFrom(address: string, at: number) {
  const app = await startTestApp()
  const ids: number[] = []
  for (const title of ['Tags', 'Racks', 'Labels', 'Carts']) {
    const { id } = await enterTicket(app.db, { title })
    await app.db
      .updateTable('tickets')
      .set({ last_message_at: new Date(Date.UTC(2026, 2, 1, ids.length)).toISOString() })
      .where('id', '=', id)
      .execute()
    ids.push(id)
  }
  const panel = await openPanel(app, 'super_admin', address)
  const links = await waitFor(() => {
    const found = within(screen.getByRole('table')).getAllByRole('link')
    expect(found).toHaveLength(4)
    return found
  })
  const addresses = links.map((link) => link.getAttribute('href')!)
  return { ...panel, ids, addresses, open: () => fireEvent.click(links[at]!) }
}

const isAt = ({ address }: Pick<OpenPanel, 'address'>, path: string | undefined) =>
  waitFor(() => expect(address()).toBe(path))
const steps = () => screen.getByRole('navigation', { name: 'Record navigation' })
const shows = (words: string) => waitFor(() => expect(steps().textContent).toContain(words))
const button = (name: string) => within(steps()).getByRole<HTMLButtonElement>('button', { name })
const pressOnPage = (key: string) => press(key, {}, document.body)

test('by button and by key, and a ticket that can’t be opened is asked for once each time', async () => {
  const list = '/support?layout=table&column=id&direction=asc'
  const { intercept, sent, addresses, open, ...panel } = await openFrom(list, 0)
  // Opening a ticket marks it as read, so it is not prefetched, and a failed request is not retried.
  intercept('GET', /\/get-ticket\//, () => ({ status: 503, body: { message: 'Not now.' } }))
  const asked = () =>
    sent.flatMap(({ path }) => (path.includes('/get-ticket/') ? [path.split('/get-ticket')[1]] : []))
  fireEvent.mouseEnter(screen.getAllByRole('link', { name: 'Tags' })[0]!)
  open()
  await isAt(panel, addresses[0])
  await shows('1 of')
  expect(button('Previous ticket').disabled).toBe(true)
  await waitFor(() => expect(asked()).toHaveLength(1))
  fireEvent.click(button('Next ticket'))
  await isAt(panel, addresses[1])
  await shows('2 of')
  await waitFor(() => expect(asked()).toHaveLength(2))
  pressOnPage('j')
  await isAt(panel, addresses[2])
  await shows('3 of')
  await waitFor(() => expect(asked()).toHaveLength(3))
  pressOnPage('k')
  await isAt(panel, addresses[1])
  const all = [0, 1, 2, 1].map((at) => addresses[at]!.replace('/support/ticket', ''))
  await waitFor(() => expect(asked()).toEqual(all))
  await panel.go(list)
  await screen.findByRole('table')
  expect(asked()).toEqual(all)
})

test('after an answer that moves the ticket to the end of the list, the next one is the one that was next before', async () => {
  const { addresses, open, ...panel } = await openFrom(
    '/support?layout=table&column=last_message_at&direction=asc',
    1,
  )
  open()
  await isAt(panel, addresses[1])
  await shows('2 of')
  await write('Message', 'Please try again.')
  press('Enter', { ctrlKey: true }, screen.getByRole('textbox', { name: 'Message' }))
  await screen.findByText('Please try again.', { selector: 'article *' })
  await shows('2 of')
  fireEvent.click(button('Next ticket'))
  await isAt(panel, addresses[2])
  await shows('2 of')
})

test('a ticket whose new status takes it out of the list says so, and the steps lead on and back', async () => {
  const { addresses, open, ...panel } = await openFrom(
    '/support?layout=table&column=id&direction=desc&status=0',
    2,
  )
  open()
  await isAt(panel, addresses[2])
  await shows('3 of')
  fireEvent.click(await screen.findByRole('button', { name: /^Status of/ }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Resolved' }))
  await waitFor(() =>
    expect(within(steps()).getByTitle('This ticket is no longer in the list.').textContent).toContain('3 of'),
  )
  pressOnPage('j')
  await isAt(panel, addresses[3])
  pressOnPage('k')
  await isAt(panel, addresses[2])
})

test('“Send and next” opens the next one, and a status sent along leaves the way to the one after it', async () => {
  const { addresses, open, sent, ...panel } = await openFrom(
    '/support?layout=table&column=id&direction=asc&status=0',
    0,
  )
  const sendWith = async (text: string, item: string) => {
    await write('Message', text)
    fireEvent.click(screen.getByRole('button', { name: 'More ways to send' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: item }))
  }
  open()
  await isAt(panel, addresses[0])
  await shows('1 of')
  await sendWith('Look again, please.', 'Send and next')
  await isAt(panel, addresses[1])
  await screen.findByRole('heading', { level: 1, name: /Racks/ })
  expect((await screen.findByRole('region', { name: 'Conversation' })).textContent).not.toContain(
    'Look again',
  )
  await sendWith('Did it help?', 'Send and set Waiting on customer')
  await waitFor(() =>
    expect(screen.getByRole('button', { name: /^Status of/ }).textContent).toContain('Waiting on customer'),
  )
  expect(sent.filter(({ path, status }) => path.includes('/sendReply/') && status === 200)).toHaveLength(2)
  fireEvent.click(button('Next ticket'))
  await isAt(panel, addresses[2])
})
