import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import TicketBulk from '#features/crm/support/web/TicketBulk.tsx'
import { addPopovers, asked, renderPage, settle, signIn } from '#web/dom.testing.tsx'
import { MessageBox } from '#web/message/MessageBox.tsx'

const shown = () => (
  <>
    <TicketBulk chosen={{ filters: {} as never, total: 1154 }} onChanged={() => {}} onDone={() => {}} />
    <MessageBox />
  </>
)

test('before all matching tickets are changed, the question names the change', async () => {
  signIn(['all_tickets_view'])
  addPopovers()
  await renderPage(shown)
  await settle()
  for (const { address, answer } of asked)
    answer(200, { data: address.includes('lists') ? { ticket_statuses: [{ id: 3, name: 'Resolved' }] } : [] })
  await settle()
  for (const [menu, item, change] of [
    ['Status', 'Resolved', 'Status: Resolved'],
    ['Assign', 'Unassigned', 'Assignee: Unassigned'],
    ['Assign', 'Me', 'Assignee: Me'],
    ['Priority', 'Low', 'Priority: Low'],
  ] as const) {
    fireEvent.click(screen.getByRole('button', { name: menu }))
    fireEvent.click(await screen.findByRole('menuitem', { name: item, hidden: true }))
    const question = await screen.findByRole('dialog')
    expect(question.textContent).toContain('all 1,154 tickets that match your filters?')
    expect([menu, item, question.querySelector('p')?.textContent]).toEqual([menu, item, change])
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
})
