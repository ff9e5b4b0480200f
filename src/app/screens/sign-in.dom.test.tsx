import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { testPassword } from '#server/db/testing.ts'
import { storeUserName } from '#web/session.ts'

const user = () => screen.getByLabelText('Username')
const password = () => screen.getByLabelText('Password', { selector: 'input' })
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Sign In' }))
const alert = () => screen.getByRole('alert').textContent
const refused = 'These credentials do not match our records.'

async function signIn(name: string, secret: string): Promise<void> {
  fill(await screen.findByLabelText('Username'), name)
  fill(password(), secret)
  submit()
}

test('missing input and wrong credentials show an alert that can be dismissed', async () => {
  const { address } = await openPanel(await startTestApp(), undefined, '/login')
  await screen.findByLabelText('Username')
  submit()
  await waitFor(() => expect(alert()).toBe('Username & Email is required.'))
  fill(password(), 'something')
  submit()
  await waitFor(() => expect(alert()).toBe('Username is required.'))
  fill(user(), 'crm')
  fill(password(), '')
  submit()
  await waitFor(() => expect(alert()).toBe('Password is required.'))
  fill(password(), 'wrong-password')
  submit()
  await waitFor(() => expect(alert()).toBe(refused))
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  expect(address()).toMatch(/^\/login/)
})

test.each([
  ['a server error', { status: 500, body: { message: 'Something went wrong on our end.', request_id: 'x' } }],
  ['too many attempts', { status: 429, body: { message: 'Too many failed attempts.', request_id: 'x' } }],
  ['no answer', undefined],
])('%s shows the same text as any other failure', async (_, answer) => {
  const { intercept } = await openPanel(await startTestApp(), undefined, '/login')
  intercept('POST', /^\/auth\/login$/, () => {
    if (!answer) throw new TypeError('Failed to fetch')
    return answer
  })
  await signIn('crm', testPassword)
  await waitFor(() => expect(alert()).toBe(refused))
})

test('sign-in returns to the requested page', async () => {
  const { address } = await openPanel(await startTestApp(), undefined, '/demo-leads?search=clinic')
  expect(address()).toMatch(/^\/login/)
  await signIn('crm', testPassword)
  await waitFor(() => expect(address()).toBe('/demo-leads?search=clinic'))
})

test('sign-in returns to no other site', async () => {
  const { address } = await openPanel(await startTestApp(), undefined, '/login?from=//example.com')
  await signIn('crm', testPassword)
  await waitFor(() => expect(address()).toBe('/dashboard'))
})

test('an expired session asks to sign in on the same page, and the unsaved input is then saved', async () => {
  await openPanel(await startTestApp(), 'crm', '/demo-leads')
  storeUserName('crm')
  fireEvent.click((await screen.findAllByRole('button', { name: 'New lead' }))[0]!)
  fill(await screen.findByRole('textbox', { name: /^Company/ }), 'Typed before the session ended')
  localStorage.setItem('access_token', 'A'.repeat(43))
  fireEvent.click(screen.getByRole('button', { name: 'Create lead' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Sign in again' }))
  fill(dialog.getByLabelText('Password', { selector: 'input' }), testPassword)
  fireEvent.click(dialog.getByRole('button', { name: 'Sign In' }))
  await screen.findByText('Typed before the session ended created.')
  expect(await screen.findAllByRole('link', { name: 'Typed before the session ended' })).toHaveLength(1)
})

test('the last action of a viewer can’t be undone by the next viewer of the same tab', async () => {
  const app = await startTestApp()
  await app.as('developer').post('/common/quick-task', { title: 'Fold the first pile' })
  const { go } = await openPanel(app, 'developer', '/quick-task/my-task')
  const done = async () => within(await screen.findByRole('main')).queryByRole('button', { name: 'Undo' })
  fireEvent.click(await screen.findByRole('button', { name: /^Move to tomorrow/ }))
  // Control: until then, it is offered below the list.
  await waitFor(async () => expect(await done()).not.toBeNull())
  fireEvent.click(screen.getByRole('button', { name: /^Profile of/ }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Logout' }))
  await signIn('admin', testPassword)
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' })
  await go('/quick-task/my-task')
  await screen.findByText('No results match your filters')
  expect(await done()).toBeNull()
})

test('closing that dialog goes to the sign-in page', async () => {
  const { address } = await openPanel(await startTestApp(), 'crm', '/dashboard')
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' })
  localStorage.setItem('access_token', 'A'.repeat(43))
  const menu = within(screen.getByRole('navigation', { name: 'Menu' }))
  fireEvent.click(menu.getByRole('link', { name: 'Leads' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Sign in again' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(address()).toMatch(/^\/login/))
})

async function expectOneForm(name: string): Promise<void> {
  await screen.findByRole('form', { name })
  const forms = [...document.querySelectorAll('form')]
  expect(forms.filter((form) => !form.closest('[hidden]'))).toHaveLength(1)
  // Control: the sign-in form is still on the page, but hidden.
  expect(forms.filter((form) => form.closest('[hidden]'))).toHaveLength(1)
}

test('the page for a forgotten password shows exactly one form', async () => {
  await openPanel(await startTestApp(), undefined, '/login')
  fireEvent.click(await screen.findByRole('button', { name: 'Forgot password?' }))
  await expectOneForm('Forgot password')
})

test('the page of an invitation shows exactly one form', async () => {
  await openPanel(await startTestApp(), undefined, '/login?invitation=unknown')
  await expectOneForm('Set your password')
})

test('the teams and the master users are loaded at sign-in', async () => {
  const { sent } = await openPanel(await startTestApp(), undefined, '/login')
  await signIn('super_admin', testPassword)
  // A §4.
  const answered = (path: RegExp) => sent.find((one) => path.test(one.path))?.status
  await waitFor(() => expect(answered(/^\/common\/team\/all/)).toBe(200))
  await waitFor(() => expect(answered(/^\/admin\/users\/get-master-users/)).toBe(200))
})
