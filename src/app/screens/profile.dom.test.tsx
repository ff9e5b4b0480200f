import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { testPassword } from '#server/db/testing.ts'

/** Opens a dialog of the profile menu. */
async function openFromMenu(who: string, entry: string, title = entry) {
  fireEvent.click(await screen.findByRole('button', { name: `Profile of ${who}` }))
  fireEvent.click(await screen.findByRole('menuitem', { name: entry }))
  return within(await screen.findByRole('dialog', { name: title }))
}

const openPasswords = async (who: string) => {
  const dialog = await openFromMenu(who, 'Change Password', 'Reset User Password')
  return {
    dialog,
    current: dialog.getByLabelText(/^Current password/),
    next: dialog.getByLabelText(/^New password/),
    again: dialog.getByLabelText(/^Confirm new password/),
    submit: () => fireEvent.click(dialog.getByRole('button', { name: 'Change password' })),
  }
}

test('Reset User Password shows the first error, in the order of the specification', async () => {
  await openPanel(await startTestApp(), 'adh_helper', '/dashboard')
  const { dialog, current, next, again, submit } = await openPasswords('Priya Nair')
  const alert = (text: string) => waitFor(() => expect(dialog.getByRole('alert').textContent).toBe(text))
  const hints = () => dialog.queryAllByText('Password must be atleast 8 characters')
  submit()
  await alert('Fill All Fields')
  fill(current, 'short')
  expect(hints()).toHaveLength(1)
  fill(next, 'seven77')
  expect(hints()).toHaveLength(2)
  fill(again, 'other')
  submit()
  await alert('The password must be atleast 8 characters')
  fill(next, 'eight888')
  expect(hints()).toHaveLength(1)
  submit()
  await alert('The password confirmation does not match.')
  fill(again, 'eight888')
  submit()
  await alert('You have entered wrong password.')
  for (const field of [current, next, again]) expect(field.getAttribute('type')).toBe('password')
  fireEvent.click(dialog.getByLabelText('Show Password'))
  for (const field of [current, next, again]) expect(field.getAttribute('type')).toBe('text')
})

test("changing the password shows the server's message and closes; a failed request shows a toast", async () => {
  const app = await startTestApp()
  const { intercept } = await openPanel(app, 'adh', '/dashboard')
  const { dialog, current, next, again, submit } = await openPasswords('Grace Okafor')
  const answer = { message: 'The database isn’t responding. Try again.', request_id: 'x' }
  const stop = intercept('POST', /reset-user-password/, () => ({ status: 503, body: answer }))
  fill(current, testPassword)
  fill(next, 'another-password')
  fill(again, 'another-password')
  submit()
  await screen.findByText('The database isn’t responding. Try again.')
  expect(dialog.getByRole('button', { name: 'Change password' })).toBeTruthy()
  stop()
  submit()
  await screen.findByText(/Password changed\./)
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Reset User Password' })).toBeNull())
  const signIn = (password: string) =>
    app.as(undefined).post('/auth/login', { username: 'adh', password, rememberMe: false })
  expect([(await signIn(testPassword)).status, (await signIn('another-password')).status]).toEqual([401, 200])
})

test("Edit Profile loads the user's own profile for every role, marks required fields, and shows missing ones", async () => {
  await openPanel(await startTestApp(), 'qa', '/dashboard')
  await openFromMenu('Olena Shevchenko', 'Edit Profile')
  await screen.findByLabelText(/^Username/)
  const dialog = within(screen.getByRole('dialog', { name: 'Edit Profile' }))
  const field = (name: string) => dialog.getByLabelText<HTMLInputElement>(new RegExp(`^${name}`))
  expect(field('Username').value).toBe('qa')
  for (const name of ['Username', 'First name', 'Last name', 'Email'])
    expect([name, field(name).required]).toEqual([name, true])
  expect(field('Email').type).toBe('email')
  expect(field('Role').disabled).toBe(true)
  expect(dialog.getByText('Only Super Admins and Admins can change roles.')).toBeTruthy()
  fill(field('First name'), '   ')
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  const missing = await dialog.findAllByRole('alert')
  expect(missing.map((alert) => alert.textContent)).toContain('Please Fill All Required Fields')
  fill(field('First name'), 'Olga')
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await screen.findByText('Profile Updated Successfully!')
  await screen.findByRole('button', { name: 'Profile of Olga Shevchenko' })
  expect([localStorage.getItem('f_name'), localStorage.getItem('l_name')]).toEqual(['Olga', 'Shevchenko'])
})

test('my sessions are listed, and ending one signs it out', async () => {
  const app = await startTestApp()
  const login = { username: 'development_lead', password: testPassword, rememberMe: false }
  const { token } = await app.as(undefined).post('/auth/login', login)
  const other = { headers: { authorization: `Bearer ${token}` } }
  expect((await app.as(undefined).get('/auth/admin-user', other)).status).toBe(200)
  await openPanel(app, 'development_lead', '/dashboard')
  const dialog = await openFromMenu('Viktor Novak', 'My sessions')
  await dialog.findByText('Current session')
  fireEvent.click(dialog.getByRole('button', { name: /^End session/ }))
  await screen.findByText('Session ended.')
  await waitFor(() => expect(dialog.queryByRole('button', { name: /^End session/ })).toBeNull())
  expect((await app.as(undefined).get('/auth/admin-user', other)).status).toBe(401)
})

test('everyone marks themselves as away and as back in the profile menu', async () => {
  const app = await startTestApp()
  const { sent } = await openPanel(app, 'csm', '/dashboard')
  const { id } = app.as('csm')
  const away = async () => (await app.as('csm').get(`/admin/admin-users/${id}/away`))['data']
  const dialog = await openFromMenu('Daniel Aguirre', 'Set as away', 'Away')
  fill(await dialog.findByLabelText(/^Last day/), '1 Jan 2020')
  fireEvent.click(dialog.getByRole('button', { name: 'Set as away' }))
  await waitFor(() =>
    expect(sent.find(({ path }) => path.endsWith('/away') && path.includes('admin-users'))).toBeTruthy(),
  )
  await dialog.findByText('Choose today or a later day.')
  fill(dialog.getByLabelText(/^Last day/), '')
  fireEvent.click(dialog.getByRole('button', { name: 'Set as away' }))
  await screen.findByText('You are away.')
  expect(await away()).toEqual({ until: null })
  const again = await openFromMenu('Daniel Aguirre', 'Away')
  fireEvent.click(await again.findByRole('button', { name: 'I’m back' }))
  await screen.findByText('Welcome back.')
  expect(await away()).toBeNull()
})
