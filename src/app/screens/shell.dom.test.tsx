import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { chooseFound, fill, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { queries } from '#web/api/queries.ts'
import { storeProduct } from '#web/session.ts'

const menu = () => within(screen.getByRole('navigation', { name: 'Menu' }))
const switcher = () => within(screen.getByRole('group', { name: 'Product' }))

test('a form that the user may not save is not shown, and the page leads back', async () => {
  const { main, address } = await openPanel(
    await startTestApp(),
    'designer',
    '/customer-contracts/new-contract',
  )
  await main().findByText(/You don’t have permission to use this form/)
  expect(main().queryAllByRole('form')).toEqual([])
  fireEvent.click(main().getByRole('link', { name: 'Go to dashboard' }))
  await waitFor(() => expect(address()).toBe('/dashboard'))
})

test('a designer whose product has no pages is offered one that has', async () => {
  await openPanel(await startTestApp(), 'designer', '/dashboard')
  act(() => storeProduct(2))
  await menu().findByText('Your role has no pages for staffer.')
  fireEvent.click(menu().getByRole('button', { name: 'Show Linen' }))
  await menu().findByRole('link', { name: 'Designer tasks' })
  expect(localStorage.getItem('product')).toBe('1')
})

test('the dashboard has no breadcrumb, and unknown URLs show Not Found - 404', async () => {
  const app = await startTestApp()
  const { go, address } = await openPanel(app, 'qa', '/')
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' })
  expect(address()).toBe('/dashboard')
  expect(screen.queryByRole('navigation', { name: 'Breadcrumb' })).toBeNull()
  for (const unknown of ['/nothing-here', '/demo-leads-x', '/users/unknown/page', '/settings/x']) {
    await go(unknown)
    await screen.findByRole('heading', { level: 1, name: 'Not Found - 404' })
    await go('/dashboard')
    await screen.findByRole('heading', { level: 1, name: 'Dashboard' })
  }
})

test('the terms are found with & written as %26, and a doubly encoded URL shows the not-found page', async () => {
  const { go, main } = await openPanel(await startTestApp(), 'super_admin', '/term%26conditions')
  await screen.findByRole('heading', { level: 1, name: 'Terms & conditions' })
  for (const path of ['/term%2526conditions', '/posts/%2526', '/faqs/%2526', '/case-study/%2526']) {
    await go(path)
    await main().findByText('We couldn’t find this page.')
    await go('/term%26conditions')
    await screen.findByRole('heading', { level: 1, name: 'Terms & conditions' })
  }
})

test.each([
  ['admin', 1],
  ['crm', 0],
] as const)('the settings gear is for roles 0 and 1: %s', async (user, count) => {
  await openPanel(await startTestApp(), user, '/dashboard')
  await screen.findByRole('heading', { level: 1 })
  const banner = within(screen.getByRole('banner'))
  expect(banner.queryAllByRole('link', { name: 'Settings' })).toHaveLength(count)
  expect(banner.getByRole('link', { name: 'Admin Panel' })).toBeTruthy()
  for (const footer of screen.getAllByRole('contentinfo')) expect(footer.textContent).toContain('©')
})

test('with product 2 no role has a dashboard link, the blog, or anything of product 1', async () => {
  await openPanel(await startTestApp(), 'super_admin', '/demo-leads')
  const names = (role: 'link' | 'button') =>
    menu()
      .queryAllByRole(role)
      .map((one) => one.textContent)
  const ofProduct1 = {
    link: [
      'Onboarding',
      'Media',
      'Comments',
      'Meta tags',
      'Designer tasks',
      'Admin users',
      'Customer contracts',
    ],
    button: ['Organizations', 'Notifications', 'Support', 'Quick tasks', 'Blog', 'FAQ', 'Logs'],
  } as const
  // Control: product 1 has them.
  await menu().findByRole('link', { name: 'Customer contracts' })
  expect(names('button')).toEqual(expect.arrayContaining([...ofProduct1.button]))
  act(() => storeProduct(2))
  await waitFor(() => expect(names('link')).not.toContain('Customer contracts'))
  expect(names('link')).toEqual(expect.arrayContaining(['Leads', 'Development tasks']))
  for (const name of [...ofProduct1.link, 'CRM dashboard', 'CMS dashboard'])
    expect(names('link').filter((link) => link?.includes(name))).toEqual([])
  for (const name of ofProduct1.button)
    expect(names('button').filter((button) => button?.includes(name))).toEqual([])
})

test('the product switcher follows the page', async () => {
  const { go } = await openPanel(await startTestApp(), 'super_admin', '/demo-leads')
  const offered = () =>
    switcher()
      .queryAllByRole('button')
      .map((one) => one.textContent)
  await screen.findByRole('heading', { level: 1, name: 'Leads' })
  expect(offered()).toEqual(['Linen', 'staffer', 'equipmate', 'lineniq', 'All products'])
  await go('/posts')
  await screen.findByRole('heading', { level: 1, name: 'Posts' })
  expect(offered()).toEqual(['Linen', 'equipmate', 'lineniq'])
  await go('/dashboard')
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' })
  expect(screen.queryByRole('group', { name: 'Product' })).toBeNull()
})

test('choosing a product stores it and shows its leads while the spinner turns', async () => {
  const app = await startTestApp()
  await app.as('crm').post('/admin/users/save-demo-requests', { lead_for: 3, companyName: 'Presses Inc' })
  const { sent } = await openPanel(app, 'crm', '/demo-leads?fromDate=all&toDate=all')
  await screen.findByRole('heading', { level: 1, name: 'Leads' })
  fireEvent.click(switcher().getByRole('button', { name: 'equipmate' }))
  await screen.findByRole('link', { name: 'Presses Inc' })
  // The spinner is still shown, so it blocks nothing.
  expect(switcher().getByLabelText('Loading equipmate')).toBeTruthy()
  expect(sent.some(({ path }) => path.includes('get-demo-requests') && path.includes('lead_for=3'))).toBe(
    true,
  )
  expect(switcher().getByRole('button', { name: 'equipmate' }).getAttribute('aria-pressed')).toBe('true')
  expect(localStorage.getItem('product')).toBe('3')
})

/** Matches the name of a result, in which the simulated browser puts spaces around marked letters. */
const reads = (text: RegExp) => (_name: string, element: Element) => text.test(element.textContent)

test('the palette finds pages and leads by keyboard', async () => {
  const app = await startTestApp()
  await app.as('crm').post('/admin/users/save-demo-requests', { lead_for: 1, companyName: 'Morvale Clinic' })
  await openPanel(app, 'crm', '/dashboard')
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' })
  press('k', { ctrlKey: true })
  const palette = within(await screen.findByRole('dialog', { name: 'Search or jump to' }))
  const box = await palette.findByLabelText('Search or jump to', { selector: 'input' })
  fill(box, 'lea')
  press('ArrowDown', {}, box)
  await palette.findByText('Leads')
  fill(box, 'morvale clinic')
  const hit = await palette.findByRole('button', { name: reads(/^Morvale Clinic/) })
  expect(hit.querySelector('mark')!.textContent).toBe('Morvale Clinic')
  fireEvent.click(hit)
  await screen.findByRole('heading', { level: 1, name: 'Morvale Clinic' })
  // On the page of a record, the palette names it.
  press('k', { ctrlKey: true })
  await screen.findByPlaceholderText('Search, jump, or act on this lead…')
  const again = within(screen.getByRole('dialog', { name: 'Search or jump to' }))
  expect(again.getByTitle('Morvale Clinic')).toBeTruthy()
})

test('the palette leads to the list if more records match than it shows', async () => {
  const app = await startTestApp()
  for (let number = 1; number <= 9; number += 1)
    await app
      .as('crm')
      .post('/admin/users/save-demo-requests', { lead_for: 1, companyName: `Morvale & Sons ${number}` })
  const { address } = await openPanel(app, 'crm', '/dashboard')
  const { palette, box } = await openPalette()
  fill(box, 'sons 9')
  await palette.findByRole('button', { name: reads(/^Morvale & Sons 9/) })
  expect(palette.queryByRole('button', { name: /^All leads/ })).toBeNull()
  fill(box, 'morvale &')
  fireEvent.click(await palette.findByRole('button', { name: 'All leads that match “morvale &”' }))
  await waitFor(() => expect(address()).toContain('search=morvale'))
  await waitFor(() => expect(screen.getAllByRole('link', { name: /^Morvale & Sons/ })).toHaveLength(9))
})

/** Opens the palette, and returns it with its field. */
async function openPalette() {
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' })
  press('k', { ctrlKey: true })
  const palette = within(await screen.findByRole('dialog', { name: 'Search or jump to' }))
  return { palette, box: await palette.findByLabelText('Search or jump to', { selector: 'input' }) }
}

test('the palette finds settings and lists of options by their labels', async () => {
  const { address } = await openPanel(await startTestApp(), 'super_admin', '/dashboard')
  const { palette, box } = await openPalette()
  fill(box, 'trial len')
  await palette.findByRole('button', { name: reads(/^Trial length General$/) })
  fill(box, 'reject reas')
  fireEvent.click(await palette.findByRole('button', { name: reads(/^Reject reasons list of options$/) }))
  await waitFor(() => expect(address()).toBe('/settings/lists?list=reject_reasons'))
})

test('Tab on a result of the palette shows its actions, and Backspace returns to the search', async () => {
  const app = await startTestApp()
  const organization_id = await enterOrganization(app.db, { name: 'Iris Hotel' })
  const id = await enterUser(app.db, organization_id, 'Aino')
  const { address } = await openPanel(app, 'super_admin', '/dashboard')
  const { palette, box } = await openPalette()
  fill(box, 'aino')
  const hit = await palette.findByRole('button', { name: reads(/^Aino/) })
  await waitFor(() => expect(hit.dataset['selected']).toBe('true'))
  press('Tab', {}, box)
  await palette.findByRole('button', { name: 'Copy email address' })
  expect(box.getAttribute('aria-label')).toMatch(/^Actions of Aino/)
  expect(palette.getByRole('status').textContent).toMatch(
    /^Actions of Aino.*: \d choices\. Press Backspace to go back\.$/,
  )
  press('Backspace', {}, box)
  fireEvent.contextMenu(await palette.findByRole('button', { name: reads(/^Aino/) }))
  expect((box as HTMLInputElement).value).toBe('')
  fireEvent.click(await palette.findByRole('button', { name: 'New ticket' }))
  await waitFor(() =>
    expect(address()).toBe(`/support/generate?organization=${organization_id}&requester=${id}`),
  )
})

test('a viewer who cannot create tickets is offered none for an organization', async () => {
  const app = await startTestApp()
  await enterOrganization(app.db, { name: 'Iris Hotel' })
  await app.as('admin').post('/admin/roles/change-permissions', { role_id: 11, revoke: ['support_view'] })
  await openPanel(app, 11, '/dashboard')
  const { palette, box } = await openPalette()
  fill(box, 'iris')
  fireEvent.contextMenu(await palette.findByRole('button', { name: reads(/^Iris Hotel/) }))
  await palette.findByRole('button', { name: 'Copy link' })
  expect(palette.queryByRole('button', { name: 'New ticket' })).toBeNull()
})

test('a user who can change neither finds no settings and no options', async () => {
  await openPanel(await startTestApp(), 'crm', '/dashboard')
  const { palette, box } = await openPalette()
  for (const text of ['reject reas', 'trial len']) {
    fill(box, text)
    await palette.findByText('No results found.')
  }
})

test('the palette finds a ticket by its words and a user by part of a phone number', async () => {
  const app = await startTestApp()
  const organization_id = await enterOrganization(app.db, { name: 'Iris Hotel' })
  await enterUser(app.db, organization_id, 'Aino', { phone: '+1 555 0166' })
  const { id } = await enterTicket(app.db, {
    title: 'The zebra crossing is wet',
    sender_email: 'palette@inn.example',
  })
  const { address } = await openPanel(app, 'super_admin', '/dashboard')
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' })
  press('k', { ctrlKey: true })
  const palette = within(await screen.findByRole('dialog', { name: 'Search or jump to' }))
  const box = await palette.findByLabelText('Search or jump to', { selector: 'input' })
  fill(box, '555 0166')
  const user = await palette.findByRole('button', { name: reads(/^Aino Iris Hotel · \+1 555 0166/) })
  expect(user.querySelector('mark')!.textContent).toBe('555 0166')
  fill(box, 'zebra cross')
  fireEvent.click(await palette.findByRole('button', { name: reads(/^The zebra crossing is wet #/) }))
  await waitFor(() => expect(address()).toBe(`/support/ticket/${id}/0`))

  // No user has this email address: the ticket is assigned to an organization, whose ID is then in the URL.
  const requester = async () => within(await screen.findByRole('region', { name: 'Requester' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Change organization' }))
  await chooseFound(await (await requester()).findByRole('combobox', { name: 'Organization' }), 'Iris Hotel')
  await waitFor(() => expect(address()).toBe(`/support/ticket/${id}/${organization_id}`))
  await (await requester()).findByRole('link', { name: 'Iris Hotel' })

  fireEvent.click(await screen.findByRole('button', { name: 'Move to development' }))
  const tasks = within(await screen.findByRole('region', { name: 'Tasks' }))
  fireEvent.click(await tasks.findByRole('link', { name: /The zebra crossing is wet/ }))
  const task = within(await screen.findByRole('dialog', { name: 'Task Details' }))
  await task.findAllByText('The zebra crossing is wet')
  fireEvent.click(await task.findByRole('tab', { name: 'Support ticket details' }))
  const [message] = await task.findAllByRole('article')
  expect(message!.textContent).toContain('Customer')
})

test('the bell shows no count until tickets and tasks are both counted, then their sum', async () => {
  const { intercept, go } = await openPanel(await startTestApp(), 'support', '/nothing-here')
  const { promise, resolve: release } = Promise.withResolvers<void>()
  intercept('GET', /^\/admin\/support\/unread-tickets-count/, () => ({
    status: 200,
    body: { ticket_count: 3, unread_tickets: [] },
  }))
  intercept('GET', /^\/admin\/support\/unnotified-task-count/, async () => {
    await promise
    return { status: 200, body: { task_count: 2, tasks: [] } }
  })
  queries.clear()
  await go('/organizations')
  const bell = await screen.findByRole('button', { name: /^Notifications/ })
  fireEvent.click(bell)
  await screen.findByRole('tab', { name: 'Support 3' })
  expect(bell.getAttribute('aria-label')).toBe('Notifications')
  expect(document.title).not.toMatch(/^\(/)
  release()
  await waitFor(() => expect(bell.getAttribute('aria-label')).toBe('Notifications, 5 new'))
  await waitFor(() => expect(document.title).toMatch(/^\(5\) /))
})
