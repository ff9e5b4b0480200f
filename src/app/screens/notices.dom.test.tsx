import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { expectNoneRefused, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

/** Two tickets that Admin follows: the first one with three new messages, the other one with one. */
async function withFollowed(): Promise<{ app: TestApp; first: number; other: number }> {
  const app = await startTestApp()
  const { as, db } = app
  const follow = async (title: string, messages: readonly string[]) => {
    const { id } = await enterTicket(db, { title, staff_id: as('adh').id })
    await as('admin').post(`/admin/support/ticket/${id}/follow`, { follow: true })
    for (const message of messages)
      await as('support').post('/admin/support/create-ticket/comment', {
        ticket_id: id,
        support_comment: message,
      })
    return id
  }
  const first = await follow('Towel tags', ['One.', 'Two.', 'Three.'])
  const other = await follow('Invoice is wrong', ['Hello.'])
  return { app, first, other }
}

const button = (name: string) => screen.findByRole('button', { name })
const isRead = async ({ as }: TestApp, ticket: number) =>
  ((await as('admin').get('/admin/notices'))['data'] as { record_id: number; read_at: string | null }[])
    .filter(({ record_id }) => record_id === ticket)
    .every(({ read_at }) => read_at !== null)

async function openNotices(name: string) {
  fireEvent.click(await button(name))
  const panel = within(await screen.findByRole('dialog', { name: 'Notices' }))
  await panel.findByText('Towel tags')
  return panel
}

test('notices about one ticket are one entry, whose older ones open', async () => {
  const { app } = await withFollowed()
  await openPanel(app, 'admin', '/dashboard')
  const panel = await openNotices('Notices, 2 unread')
  expect(panel.getAllByRole('listitem')).toHaveLength(2)
  expect(panel.getByText(/Three\.$/)).toBeTruthy()
  expect(panel.queryByText(/One\.$/)).toBeNull()
  fireEvent.click(panel.getByRole('button', { name: '2 more: Towel tags' }))
  expect(await panel.findByText(/One\.$/)).toBeTruthy()
  expect(panel.getByText(/Two\.$/)).toBeTruthy()
  fireEvent.click(panel.getByRole('button', { name: 'Mark as read: Towel tags' }))
  await waitFor(() => expect(panel.queryByText('Towel tags')).toBeNull())
  expect(await button('Notices, 1 unread')).toBeTruthy()
})

test.each([
  ['on its page', (id: number) => `/support/ticket/${id}/0`],
  ['beside the list', (id: number) => `/support?open=${id}`],
])('opening a ticket %s reads the notices about it, and no others', async (_, addressOf) => {
  const { app, first, other } = await withFollowed()
  await openPanel(app, 'admin', addressOf(first))
  await screen.findByRole('heading', { name: /Towel tags/ })
  expect(await button('Notices, 1 unread')).toBeTruthy()
  expect([await isRead(app, first), await isRead(app, other)]).toEqual([true, false])
  expect(app.live).toContainEqual({
    channel: `private-staff.${app.as('admin').id}`,
    event: 'notices',
    payload: {},
  })
})

test('a notice that is marked as unread on the page of its ticket stays so until the page is opened again', async () => {
  const { app, first } = await withFollowed()
  const { go, sent } = await openPanel(app, 'admin', `/support/ticket/${first}/0`)
  expect(await button('Notices, 1 unread')).toBeTruthy()
  fireEvent.click(await button('Notices, 1 unread'))
  const panel = within(await screen.findByRole('dialog', { name: 'Notices' }))
  fireEvent.click(panel.getByRole('tab', { name: 'All' }))
  fireEvent.click(await panel.findByRole('button', { name: 'Mark as unread: Towel tags' }))
  expect(await button('Notices, 2 unread')).toBeTruthy()
  // On return to the tab, notices are read without a wait.
  document.dispatchEvent(new Event('visibilitychange'))
  await expectNoneRefused({ sent })
  await go('/dashboard')
  expect(await isRead(app, first)).toBe(false)
  await go(`/support/ticket/${first}/0`)
  expect(await button('Notices, 1 unread')).toBeTruthy()
})

test('opening a lead reads the notices about it', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const { lead_id } = await db
    .insertInto('leads')
    .values({ lead_for: 1, lead_type: 1, company_name: 'Aalto Linen' })
    .returning('lead_id')
    .executeTakeFirstOrThrow()
  await as('admin').post(`/admin/general/notes/lead/${lead_id}`, { note: 'Call', tag_user: [as('crm').id] })
  const { go } = await openPanel(app, 'crm', '/')
  expect(await button('Notices, 1 unread')).toBeTruthy()
  await go(`/demo-leads/lead/${lead_id}`)
  expect(await button('Notices')).toBeTruthy()
})
