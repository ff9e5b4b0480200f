import { expect, type Browser, type Page } from '@playwright/test'
import {
  asUser,
  chooseFound,
  chooseOrganization,
  enterLeads,
  expectAccessible,
  expectQuietConsole,
  holdUndo,
  row,
  undoLast,
} from './helpers.ts'
import { mailsTo, partsOf, subjectOf } from './received-mails.ts'
import { test } from './panel.ts'

const openAs = async (browser: Browser, user: string): Promise<Page> => {
  const page = await (await browser.newContext()).newPage()
  await asUser(page, user)
  return page
}

/** Calls the API as the page's user. */
const call = (page: Page, method: string, path: string, body?: object) =>
  page.evaluate(
    async ([verb, to, json]) => {
      const answer = await fetch(`/api${to}`, {
        method: verb,
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${localStorage.getItem('access_token')}`,
        },
        ...(json === undefined ? {} : { body: json }),
      })
      if (!answer.ok) throw new Error(await answer.text())
      return (await answer.json()) as Record<string, any>
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  )

/** Creates an organization without users from a lead. */
async function enterOrganization(page: Page, name: string): Promise<number> {
  const [lead_id] = await enterLeads(page, { companyName: name, contactName: 'Ida', email: '' })
  const { data } = await call(page, 'POST', '/admin/users/lead-create-organization', {
    lead_id,
    name,
    user: null,
  })
  return data.organization_id as number
}

/** Waits for exactly one email to an address whose subject contains these words, and returns it. */
async function mailTo(address: string, words: string) {
  const found = () => mailsTo(address).filter(({ raw }) => subjectOf(raw).includes(words))
  await expect.poll(() => found().length).toBe(1)
  return found()[0]!
}

test('an invitation that is not delivered is marked in the open list', async ({ browser, panel }) => {
  const address = 'ines.kern@staff.example'
  panel.refused.add(address)
  const martin = await openAs(browser, 'admin')
  await martin.goto('/admin-users')
  await expect(row(martin, 'Daniel Aguirre')).toBeVisible()
  await call(martin, 'POST', '/admin/admin-users/create', {
    user_name: 'ines',
    first_name: 'Ines',
    last_name: 'Kern',
    email: address,
    role_id: 2,
    product_ids: [1],
  })
  await expect(row(martin, 'Ines Kern')).toContainText('Not delivered')
  await row(martin, 'Ines Kern').getByRole('button', { name: 'Ines Kern', exact: true }).click()
  const details = martin.getByRole('dialog', { name: 'Details of Ines Kern' })
  await expect(details).toContainText(`Not delivered to ${address}.`)
})

test('an admin user is invited, signs in, is deactivated with their open work, and reactivated with it', async ({
  browser,
}) => {
  const [user_name, address, secret] = ['noor', 'noor.visser@staff.example', 'a-first-password']
  const martin = await openAs(browser, 'admin')
  const quiet = expectQuietConsole(martin)
  await martin.goto('/admin-users')
  await martin.getByRole('button', { name: 'Invite', exact: true }).click()
  const form = martin.getByRole('dialog', { name: 'Invite admin user' })
  await form.getByLabel('Username').fill(user_name)
  await form.getByLabel('First name').fill('Noor')
  await form.getByLabel('Last name').fill('Visser')
  await form.getByLabel('Email').fill(address)
  await form.getByLabel('Role').selectOption({ label: 'CRM' })
  await expectAccessible(martin)
  await form.getByRole('button', { name: 'Invite' }).click()
  await expect(martin.getByText(`Invitation sent to ${address}.`)).toBeVisible()
  await expect(row(martin, 'Noor Visser')).toContainText('Invited')

  const { raw } = await mailTo(address, 'You’re invited to the admin panel')
  const link = /\?invitation=[\w-]+/.exec(partsOf(raw).get('text/plain')!)![0]
  const noor = await (await browser.newContext()).newPage()
  await noor.goto(`/login${link}`)
  await expect(noor.getByText('For Noor Visser, username noor.')).toBeVisible()
  // Only one form is shown at a time.
  await expect(noor.locator('form:visible')).toHaveCount(1)
  await noor.getByLabel('New password', { exact: true }).fill(secret)
  await noor.getByLabel('Confirm new password').fill(secret)
  await noor.getByRole('button', { name: 'Set password' }).click()
  await expect(noor.getByRole('form', { name: 'Set your password' }).getByRole('status')).toBeVisible()
  await noor.getByRole('button', { name: 'Back to sign in' }).click()
  await expect(noor.getByLabel('Username')).toHaveValue(user_name)
  await noor.getByRole('textbox', { name: 'Password' }).fill(secret)
  await noor.getByRole('button', { name: 'Sign In' }).click()
  await expect(noor).toHaveURL(/\/dashboard$/)
  // The link works only once.
  const again = await (await browser.newContext()).newPage()
  await again.goto(`/login${link}`)
  await expect(again.getByRole('alert')).toBeVisible()

  const id = await noor.evaluate(() => Number(localStorage.getItem('admin_id')))
  const [lead] = await enterLeads(martin, {
    companyName: 'Noor Hotel',
    contactName: 'Ida',
    email: 'ida@noor.example',
    assign_to: id,
  })
  await call(noor, 'POST', '/common/quick-task', { title: 'Call Ida' })
  await martin.goto('/admin-users?search=noor')
  await row(martin, 'Noor Visser').hover()
  await martin.getByRole('button', { name: 'Deactivate Noor Visser' }).click()
  const deactivation = martin.getByRole('dialog', { name: 'Deactivate Noor Visser' })
  await expect(deactivation).toContainText('Open work to reassign: 1 lead, 1 quick task.')
  await expect(deactivation.getByRole('button', { name: 'Deactivate' })).toBeDisabled()
  await chooseFound(deactivation.getByLabel('Reassign to'), 'Paula Ferreira')
  await expectAccessible(martin)
  await deactivation.getByRole('button', { name: 'Deactivate' }).click()
  const undo = await holdUndo(martin, 'Noor Visser deactivated. 2 records reassigned.')
  const holder = async () =>
    (await call(martin, 'GET', `/admin/users/getdemo?id=${lead}`))['data'].assign_to as number
  expect(await holder()).not.toBe(id)
  // Noor's browser asks for a new sign-in, because the user was deactivated.
  await expect(noor.getByRole('dialog')).toContainText(/sign in/i)
  await undo.click()
  await expect(martin.getByText('Noor Visser reactivated. 2 records returned.')).toBeVisible()
  expect(await holder()).toBe(id)
  await expect(row(martin, 'Noor Visser')).toContainText('Active')
  quiet()
})

/**
 * Invites an admin user who appears in no other test, and signs them in for the first time, so that changes
 * to this user do not affect other tests.
 */
async function newColleague(
  browser: Browser,
  admin: Page,
  user_name: string,
  first_name: string,
  secret: string,
): Promise<Page> {
  const email = `${user_name}@staff.example`
  await call(admin, 'POST', '/admin/admin-users/create', {
    user_name,
    first_name,
    last_name: 'Newcomer',
    email,
    role_id: 12,
    products: [1],
  })
  const { raw } = await mailTo(email, 'You’re invited to the admin panel')
  const page = await (await browser.newContext()).newPage()
  await page.goto(`/login${/\?invitation=[\w-]+/.exec(partsOf(raw).get('text/plain')!)![0]}`)
  await page.getByLabel('New password', { exact: true }).fill(secret)
  await page.getByLabel('Confirm new password').fill(secret)
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByRole('form', { name: 'Set your password' }).getByRole('status')).toBeVisible()
  await page.getByRole('button', { name: 'Back to sign in' }).click()
  await page.getByRole('textbox', { name: 'Password' }).fill(secret)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  return page
}

test('a changed admin user is restored from the toast, and their history shows both changes', async ({
  browser,
}) => {
  const ingrid = await openAs(browser, 'super_admin')
  await call(ingrid, 'POST', '/admin/admin-users/create', {
    user_name: 'amina.diallo',
    first_name: 'Amina',
    last_name: 'Diallo',
    email: 'amina.diallo@example.com',
    role_id: 2,
    product_ids: [1],
  })
  await ingrid.goto('/admin-users?search=amina.diallo')
  const line = ingrid.getByRole('row').filter({ hasText: 'amina.diallo@example.com' })
  await line.hover()
  await ingrid.getByRole('button', { name: 'Edit Amina Diallo' }).click()
  const form = ingrid.getByRole('dialog', { name: 'Edit Amina Diallo' })
  await form.getByLabel('Last name').fill('Sow')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(line).toContainText('Amina Sow')
  await undoLast(ingrid).click()
  await expect(line).toContainText('Amina Diallo')
  await line.hover()
  await ingrid.getByRole('button', { name: 'Details of Amina Diallo' }).click()
  const details = ingrid.getByRole('dialog', { name: 'Details of Amina Diallo' })
  await expect(details.getByText('changed the last name from Diallo to Sow')).toBeVisible()
  await expect(details.getByRole('button', { name: /^Redo/ })).toBeVisible()
  await expectAccessible(ingrid)
})

test('a ban ends the session in another browser immediately, and lifting it allows signing in again', async ({
  browser,
}) => {
  const ingrid = await openAs(browser, 'super_admin')
  const secret = 'another-first-password'
  const quinn = await newColleague(browser, ingrid, 'quinn', 'Quinn', secret)
  const name = await quinn.evaluate(
    () => `${localStorage.getItem('f_name')} ${localStorage.getItem('l_name')}`,
  )
  await expect(quinn.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await ingrid.goto(`/admin-users?search=${encodeURIComponent(name.split(' ')[0]!)}`)
  await row(ingrid, name).hover()
  await ingrid.getByRole('button', { name: `Details of ${name}` }).click()
  const sheet = ingrid.getByRole('dialog', { name: `Details of ${name}` })
  await expect(sheet.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(1)
  await expectAccessible(ingrid)
  await sheet.getByRole('button', { name: /^End session on/ }).click()
  await expect(ingrid.getByText('Session ended.')).toBeVisible()
  await expect(sheet.getByText('No active sessions.')).toBeVisible()
  const ended = quinn.getByRole('dialog')
  await expect(ended).toContainText(/sign in/i)
  await ended
    .getByLabel(/password/i)
    .first()
    .fill(secret)
  await ended.getByRole('button', { name: /sign in/i }).click()
  await expect(ended).toHaveCount(0)
  await ingrid.keyboard.press('Escape')
  await row(ingrid, name).hover()
  await ingrid.getByRole('button', { name: `Ban ${name}` }).click()
  const ban = ingrid.getByRole('dialog', { name: `Ban ${name}` })
  await ban.getByLabel('Reason').fill('A laptop was stolen')
  await ban.getByRole('button', { name: 'Ban' }).click()
  await expect(ingrid.getByText(`${name} banned.`)).toBeVisible()
  // The other browser asks for a new sign-in even though nothing was done in it.
  const over = quinn.getByRole('dialog')
  await expect(over).toContainText(/sign in/i)
  await over
    .getByLabel(/password/i)
    .first()
    .fill(secret)
  await over.getByRole('button', { name: /sign in/i }).click()
  await expect(over).toBeVisible()
  await row(ingrid, name).hover()
  await ingrid.getByRole('button', { name: `Unban ${name}` }).click()
  await expect(ingrid.getByText(`${name} unbanned.`)).toBeVisible()
  await over.getByRole('button', { name: /sign in/i }).click()
  await expect(over).toHaveCount(0)
})

test('a bulk email is previewed, sent to its author, paused, resumed, and unsubscribed from with one click', async ({
  browser,
}) => {
  const martin = await openAs(browser, 'super_admin')
  const quiet = expectQuietConsole(martin, /^Blocked script execution in 'about:srcdoc'/)
  const organization_id = await enterOrganization(martin, 'Bulk Hotels')
  const users: number[] = []
  // An email to more than 20 recipients is a bulk email, which can be paused.
  const guests = [{}, {}, { is_subscribed: 0 }, { email: null }, ...Array.from({ length: 19 }, () => ({}))]
  for (const [index, more] of guests.entries()) {
    const body = {
      organization_id,
      first_name: `Guest${index}`,
      email: `guest${index}@bulk.example`,
      ...more,
    }
    users.push((await call(martin, 'POST', '/admin/users/create-user', body))['data'].id)
  }
  await martin.goto('/users?search=bulk.example')
  await martin.getByRole('button', { name: 'Send bulk email' }).click()
  const form = martin.getByRole('dialog', { name: 'Send bulk email' })
  await chooseOrganization(form.getByRole('combobox', { name: 'Add organization' }), 'Bulk Hotels')
  await expect(form.getByRole('list').first()).toContainText('Bulk Hotels (23 users)')
  await expect(form.getByText('2 excluded')).toBeVisible()
  await form.getByText('2 excluded').click()
  await expect(form).toContainText('Unsubscribed')
  await expect(form).toContainText('No email address')
  await form.getByLabel('Subject').fill('News from the linen room')
  await form.getByLabel('Message', { exact: true }).fill('We count <b>everything</b> now.')
  await form.getByRole('button', { name: 'Preview' }).click()
  const preview = form.getByRole('region', { name: 'Preview' })
  await expect(preview).toContainText('News from the linen room')
  await expect(preview.frameLocator('iframe').getByText('We count <b>everything</b> now.')).toBeVisible()
  await expectAccessible(martin)
  await form.getByRole('button', { name: 'Send test email' }).click()
  await expect(martin.getByText('Sending a test email to you.')).toBeVisible()
  await mailTo('ingrid.solheim@example.com', 'News from the linen room')
  await form.getByRole('button', { name: 'Send to 21 recipients' }).click()
  const progress = form.getByRole('region', { name: 'Progress' })
  await expect(progress).toContainText('Scheduled 21')
  await progress.getByRole('button', { name: 'Pause' }).click()
  await expect(progress).toContainText('Stopped 21')
  expect(mailsTo('guest0@bulk.example')).toEqual([])
  await progress.getByRole('button', { name: 'Resume (21)' }).click()
  await expect(progress).toContainText('Sent 21')
  const { raw } = await mailTo('guest0@bulk.example', 'News from the linen room')
  expect(mailsTo('guest1@bulk.example')).toHaveLength(1)
  expect(mailsTo('guest2@bulk.example')).toEqual([])
  quiet()

  expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/im)
  const page = /\/unsubscribe\/[\w.-]+/.exec(partsOf(raw).get('text/plain')!)![0]
  const guest = await (await browser.newContext()).newPage()
  await guest.goto(`/api${page}`)
  await guest.getByRole('button').click()
  await expect(guest.locator('body')).toContainText('You’re unsubscribed')
  expect((await call(martin, 'GET', `/admin/users/${users[0]}`))['data'].is_subscribed).toBe(0)
})

test('an email to selected users shows who is excluded before it is sent, and is canceled', async ({
  browser,
}) => {
  const ingrid = await openAs(browser, 'super_admin')
  const organization_id = await enterOrganization(ingrid, 'Ticked Hotels')
  for (const [index, more] of [{}, { is_subscribed: 0 }].entries())
    await call(ingrid, 'POST', '/admin/users/create-user', {
      organization_id,
      first_name: `Tick${index}`,
      email: `tick${index}@ticked.example`,
      ...more,
    })
  await ingrid.goto('/users?search=ticked.example')
  for (const name of ['Tick0', 'Tick1']) await row(ingrid, name).getByRole('checkbox').check()
  await ingrid.getByRole('button', { name: 'Send email' }).click()
  const form = ingrid.getByRole('dialog', { name: 'Email 2 users' })
  await expect(form.getByRole('button', { name: 'Send to 1 recipient' })).toBeDisabled()
  await form.getByText('1 excluded').click()
  await expect(form).toContainText('Tick1')
  await ingrid.keyboard.press('Escape')
  // If many people are left out, only some are named, but all are counted.
  await ingrid.route('**/send-email/recipients', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), left_out_total: 5000 } })
  })
  await ingrid.getByRole('button', { name: 'Send email' }).click()
  await form.getByText('5,000 excluded').click()
  await expect(form).toContainText('and 4,999 more')
  await form.getByLabel('Subject').fill('For one')
  await form.getByLabel('Message', { exact: true }).fill('Hello')
  await expectAccessible(ingrid)
  await form.getByRole('button', { name: 'Send to 1 recipient' }).click()
  const progress = ingrid.getByRole('region', { name: 'Progress' })
  await progress.getByRole('button', { name: 'Undo send' }).click()
  await ingrid.getByRole('button', { name: 'Proceed' }).click()
  await expect(progress).toContainText('Canceled 1')
  expect(mailsTo('tick0@ticked.example')).toEqual([])
})

test('a team is created, renamed, and assigned to an admin user', async ({ browser }) => {
  const ingrid = await openAs(browser, 'super_admin')
  await ingrid.goto('/admin-users')
  await ingrid.getByRole('link', { name: 'Teams' }).click()
  const list = ingrid.getByRole('region', { name: 'Teams' })
  await list.getByLabel('New team name').fill('Night shift')
  await ingrid.keyboard.press('Enter')
  await expect(list.getByLabel('Name of Night shift')).toBeVisible()
  await ingrid.goto('/admin-users?search=paula')
  await row(ingrid, 'Paula Ferreira').hover()
  await ingrid.getByRole('button', { name: 'Edit Paula Ferreira' }).click()
  const form = ingrid.getByRole('dialog', { name: 'Edit Paula Ferreira' })
  await form.getByLabel('Night shift').check()
  await expectAccessible(ingrid)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(row(ingrid, 'Paula Ferreira')).toContainText('Night shift')
})

test('a customer user: created with an address already in use, banned, and found among the banned', async ({
  browser,
}) => {
  const tom = await openAs(browser, 'super_admin')
  const quiet = expectQuietConsole(tom)
  const organization_id = await enterOrganization(tom, 'Twin Inns')
  await call(tom, 'POST', '/admin/users/create-user', {
    organization_id,
    first_name: 'Ada',
    email: 'desk@twin.example',
    phone: '+1 (555) 010-9911',
  })
  await tom.goto('/users')
  await tom.getByRole('button', { name: 'New user' }).click()
  const form = tom.getByRole('dialog', { name: 'New user' })
  const organization = form.getByRole('combobox', { name: 'Organization' })
  // There are more than a hundred organizations; those beyond the first ones are found by searching.
  await organization.click()
  await expect(tom.getByRole('option', { name: /more\. Keep typing to narrow the results/ })).toBeVisible()
  await expectAccessible(tom)
  // Escape closes the list and leaves the form open.
  await tom.keyboard.press('Escape')
  await expect(tom.getByRole('listbox')).toHaveCount(0)
  await expect(form).toBeVisible()
  await organization.fill('no such hotel')
  await expect(tom.getByText('No organizations found.')).toBeVisible()
  await chooseOrganization(organization, 'Twin Inns')
  await expect(organization).toHaveValue('Twin Inns')
  await form.getByLabel('First name').fill('Bea')
  await form.getByRole('textbox', { name: 'Email' }).fill('desk@twin.example')
  await expect(form.getByText('This email address is also used by Ada (Twin Inns).')).toBeVisible()
  await expectAccessible(tom)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(tom.getByText('User created. Ada (Twin Inns) has the same email address.')).toBeVisible()
  await tom.goto('/users')
  await tom.getByRole('button', { name: 'More filters' }).click()
  await tom.getByRole('button', { name: 'Organization: All organizations' }).click()
  await chooseOrganization(tom.getByRole('combobox', { name: 'Organization' }), 'Twin Inns')
  await expect(tom.getByRole('button', { name: 'Remove filter Organization: Twin Inns' })).toBeVisible()
  await expect(tom.getByRole('rowheader')).toHaveText(['Bea', 'Ada'])
  await expectAccessible(tom)
  await tom.reload()
  await tom.getByRole('button', { name: 'More filters' }).click()
  await expect(tom.getByRole('button', { name: 'Organization: Twin Inns', exact: true })).toBeVisible()
  await tom.getByRole('button', { name: 'Remove filter Organization: Twin Inns' }).click()
  await expect(tom).not.toHaveURL(/organization=/)

  await tom.goto('/support/generate')
  await chooseOrganization(tom.getByRole('combobox', { name: 'Organization' }), 'Twin Inns')
  await expect(tom.getByLabel('Requester').locator('option')).toHaveText(['Me', 'Ada', 'Bea'])
  await tom.goto('/support')
  await tom.getByRole('button', { name: 'Organization: All organizations' }).click()
  await tom.getByRole('option', { name: 'No organization' }).click()
  await expect(tom).toHaveURL(/organization=0/)
  await expect(tom.getByRole('button', { name: 'Remove filter Organization: No organization' })).toBeVisible()

  await tom.goto('/users?search=desk%40twin')
  await row(tom, 'Bea').hover()
  await tom.getByRole('button', { name: 'Ban Bea' }).click()
  const ban = tom.getByRole('dialog', { name: 'Ban Bea' })
  await ban.getByLabel('Reason').fill('Spam')
  await expectAccessible(tom)
  await ban.getByRole('button', { name: 'Ban' }).click()
  await expect(row(tom, 'Bea')).toContainText('Banned')
  await tom.goto('/users/banned')
  await row(tom, 'Bea').hover()
  await tom.getByRole('button', { name: 'Unban Bea' }).click()
  await expect(row(tom, 'Bea')).toHaveCount(0)

  quiet()
})

test('a CSM finds a caller by phone, writes a note, opens a ticket for them, and corrects their number', async ({
  browser,
}) => {
  const martin = await openAs(browser, 'super_admin')
  const organization_id = await enterOrganization(martin, 'Call Inns')
  for (const [first_name, phone] of [
    ['Cleo', '+1 (555) 044-7711'],
    ['Dora', ''],
  ])
    await call(martin, 'POST', '/admin/users/create-user', { organization_id, first_name, phone })
  const page = await openAs(browser, 'csm')
  const quiet = expectQuietConsole(page)
  await page.goto('/customer-view')
  // The search has the focus, and Enter opens the first result of what was typed, not of the results still shown.
  const search = page.getByRole('searchbox', { name: 'Search customers' })
  await expect(search).toBeFocused()
  await page.keyboard.type('Dora')
  await expect(page.getByRole('link', { name: /Dora/ })).toBeVisible()
  await search.selectText()
  await page.keyboard.type('044-77')
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('region', { name: 'Customer' })
  await expect(sheet.getByRole('heading', { name: 'Cleo' })).toBeVisible()
  await expect(sheet).toContainText('Call Inns')
  await expect(sheet).toContainText('+1 (555) 044-7711')
  await sheet.getByRole('textbox', { name: 'Write a note' }).fill('Asks about the counts')
  await page.keyboard.press('Control+Enter')
  await expect(sheet.getByRole('region', { name: 'Last notes' })).toContainText('Asks about the counts')
  await expectAccessible(page)
  // The address has the search and the customer.
  await page.reload()
  await expect(page.getByRole('searchbox', { name: 'Search customers' })).toHaveValue('044-77')
  await expect(sheet.getByRole('region', { name: 'Other users' })).toContainText('Dora')
  await page.getByRole('searchbox', { name: 'Search customers' }).blur()
  await page.keyboard.press('t')
  await expect(page.getByLabel('Requester').locator('option:checked')).toHaveText('Cleo')
  await page.getByRole('textbox', { name: 'Title' }).fill('Counts are wrong')
  await page.getByRole('textbox', { name: 'Message' }).fill('Since Monday')
  await page.getByRole('button', { name: 'Create ticket' }).click()
  await expect(page).toHaveURL(/\/support\/ticket\//)
  const requester = page.getByRole('region', { name: 'Requester' })
  await requester.getByRole('link', { name: 'Cleo' }).click()
  await expect(page.getByRole('region', { name: 'Tickets' })).toContainText('Counts are wrong')
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Asks about the counts')
  await page.getByRole('button', { name: 'Edit Phone' }).click()
  await page.getByRole('textbox', { name: 'Phone' }).fill('+1 (555) 044-7712')
  await page.keyboard.press('Enter')
  const undo = await holdUndo(page, '')
  const contact = page.getByRole('region', { name: 'Contact' })
  await expect(contact.getByRole('link', { name: '+1 (555) 044-7712' })).toBeVisible()
  await undo.click()
  await expect(contact.getByRole('link', { name: '+1 (555) 044-7711' })).toBeVisible()
  await expectAccessible(page)
  quiet()
})
