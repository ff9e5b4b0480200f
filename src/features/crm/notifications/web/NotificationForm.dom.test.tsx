import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { NewNotificationPage } from '#features/crm/notifications/web/NotificationForm.tsx'
import { asked, renderPage, settle, signIn } from '#web/dom.testing.tsx'
import { storeSession } from '#web/session.ts'

/** Signs in an Admin who can send notifications, with product 1. */
function signInAsAdmin(): void {
  signIn(['send_new_list'])
  storeSession({
    token: 'token',
    user: { id: 7, first_name: 'Ada', last_name: 'Berg', role_id: 1, avatar: null },
    products: [{ id: 1, name: 'Atlas', status: 1 } as never],
    user_product: [1],
    user_permissions: ['send_new_list'],
  })
}
const countedLast = () => asked.findLast(({ address }) => address.includes('notification-recipients'))
const send = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })

test('a malformed address is not counted as excluded, because nothing can be sent until it is corrected', async () => {
  signInAsAdmin()
  await renderPage(() => <NewNotificationPage />)
  fireEvent.change(await screen.findByLabelText('To'), { target: { value: 'chosen' } })
  const emails = await screen.findByLabelText('Email addresses, one per line')
  fireEvent.change(emails, { target: { value: 'zoe@aalto.example' } })
  await waitFor(() => expect(countedLast()?.body).toEqual({ emails: ['zoe@aalto.example'] }))
  countedLast()!.answer(200, { total: 1, left_out: [] })
  await waitFor(() => expect(send('Send to 1 recipient').disabled).toBe(false))
  const before = asked.filter(({ address }) => address.includes('notification-recipients')).length
  fireEvent.change(emails, { target: { value: 'zoe@aalto.example\nbad' } })
  await waitFor(() => expect(send('Send').disabled).toBe(true))
  expect(send('Send').title).toBe('bad isn’t a valid email address.')
  await settle()
  expect(asked.filter(({ address }) => address.includes('notification-recipients'))).toHaveLength(before)
  expect(screen.queryByText(/Excluded/)).toBeNull()
})

test('without the permission the page says so', async () => {
  signIn([])
  await renderPage(() => <NewNotificationPage />)
  expect(await screen.findByText('You don’t have access to this page')).toBeTruthy()
})
