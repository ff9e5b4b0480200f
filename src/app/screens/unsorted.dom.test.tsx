import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { clickUndo, fill, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

async function openUnsorted(state = 'unsorted') {
  const app = await startTestApp()
  const subjects = ['A free prize', 'Our login', 'A newsletter']
  for (const subject of subjects)
    await app.db
      .insertInto('received_mails')
      .values({ kind: 'message', message_id: `<${subject}@new.example>`, state, subject, from_name: subject })
      .execute()
  const panel = await openPanel(app, 'support', `/support/unsorted?state=${state}`)
  const select = async (subject: string) =>
    fireEvent.click(await screen.findByRole('checkbox', { name: `Select ${subject}` }))
  const stateOf = async (subject: string) =>
    (
      await app.db
        .selectFrom('received_mails')
        .select('state')
        .where('subject', '=', subject)
        .executeTakeFirst()
    )?.state
  return { app, select, stateOf, ...panel }
}

test('selected emails are marked as spam together, with Undo; one that was sorted meanwhile is named', async () => {
  const { app, select, stateOf } = await openUnsorted()
  for (const subject of ['A free prize', 'Our login']) await select(subject)
  await app.db
    .updateTable('received_mails')
    .set({ state: 'done' })
    .where('subject', '=', 'Our login')
    .execute()
  const bar = within(await screen.findByRole('group', { name: 'Selected rows' }))
  fireEvent.click(await bar.findByRole('button', { name: 'Spam' }))
  await screen.findByText(
    /^1 email marked as spam\. Left out: #\d+ Our login\. Someone has already sorted it\.$/,
  )
  await clickUndo(/^1 email marked as spam/)
  await screen.findByText('1 email returned to Unsorted.')
  expect(await stateOf('A free prize')).toBe('unsorted')
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Selected rows' })).toBeNull())
})

test('a ticket is created for each of the selected emails, with Undo; one that was sorted meanwhile is named', async () => {
  const { app, select, stateOf } = await openUnsorted()
  for (const subject of ['A newsletter', 'A free prize', 'Our login']) await select(subject)
  await app.db
    .updateTable('received_mails')
    .set({ state: 'done' })
    .where('subject', '=', 'A newsletter')
    .execute()
  fireEvent.click(await screen.findByRole('button', { name: 'New ticket for each' }))
  await screen.findByText(
    /^2 tickets created\. Left out: #\d+ A newsletter\. Someone has already sorted it\.$/,
  )
  const titles = async () =>
    (
      await app.db
        .selectFrom('tickets')
        .select('title')
        .where('deleted_at', 'is', null)
        .orderBy('title')
        .execute()
    ).map(({ title }) => title)
  expect(await titles()).toEqual(['A free prize', 'Our login'])
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Selected rows' })).toBeNull())
  await clickUndo(/^2 tickets created/)
  await screen.findByText('2 emails returned to Unsorted.')
  expect(await titles()).toEqual([])
  expect(await stateOf('Our login')).toBe('unsorted')
})

test('emails under Spam are returned together; automatic ones can’t be selected', async () => {
  const { select, stateOf } = await openUnsorted('spam')
  await select('A newsletter')
  fireEvent.click(await screen.findByRole('button', { name: 'Return to Unsorted' }))
  await waitFor(async () => expect(await stateOf('A newsletter')).toBe('unsorted'))
  fireEvent.click(screen.getByRole('button', { name: 'Automatic' }))
  await screen.findByText('No emails under Automatic')
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('1 always creates a ticket; a ticket of someone else of the domain follows what is likelier', async () => {
  const app = await startTestApp()
  const { id: ofOther } = await enterTicket(app.db, { title: 'Towels', sender_email: 'jana@resort.example' })
  for (const from_address of ['mika@alone.example', 'zoe@resort.example'])
    await app.db
      .insertInto('received_mails')
      .values({
        kind: 'message',
        state: 'unsorted',
        message_id: `<${from_address}>`,
        subject: from_address,
        from_name: from_address,
        from_address,
      })
      .execute()
  await openPanel(app, 'support', '/support/unsorted')
  const places = async (subject: string) => {
    fireEvent.click(await screen.findByRole('link', { name: subject }))
    await screen.findByRole('heading', { name: subject })
    const list = await screen.findByRole('region', { name: 'File under' })
    return within(list)
      .getAllByRole('button')
      .map(({ textContent }) => textContent)
  }
  expect(await places('mika@alone.example')).toEqual([expect.stringMatching(/^New ticket.*1$/)])
  expect(await places('zoe@resort.example')).toEqual([
    expect.stringMatching(/^New ticket.*1$/),
    expect.stringMatching(new RegExp(`^#${ofOther} Towels.*2$`)),
  ])
  press('1', {}, document.body)
  await screen.findByText(/^Filed under a new ticket/)
})

test('users with the same name are listed with their organization and address', async () => {
  const { app } = await openUnsorted()
  for (const [name, email] of [
    ['Aalto Linen', 'jana@aalto.example'],
    ['Elm Resort', 'jana@elm.example'],
  ] as const)
    await enterUser(app.db, await enterOrganization(app.db, { name }), 'Jana', { email })
  await enterTicket(app.db, { title: 'Jana can’t sign in', sender_name: 'Ada' })
  fireEvent.click(await screen.findByRole('link', { name: 'Our login' }))
  fill(await screen.findByRole('textbox', { name: 'Another record' }), 'jana')
  const list = within(await screen.findByRole('region', { name: 'File under' }))
  await list.findByRole('button', { name: /^New ticket for Jana Elm Resort · jana@elm\.example/ })
  await list.findByRole('button', { name: /^New ticket for Jana Aalto Linen · jana@aalto\.example/ })
  await list.findByRole('button', { name: /^Jana customer user · Elm Resort · jana@elm\.example/ })
  await list.findByRole('button', { name: /^#\d+ Jana can’t sign in ticket · Ada/ })
})

/** Opens an email of an unknown sender. */
async function openEmail(from_address = 'zoe.berg@mail.example') {
  const app = await startTestApp()
  const user = await enterUser(app.db, await enterOrganization(app.db), 'Zoe', { email: 'zoe@aalto.example' })
  const values = { kind: 'message', state: 'unsorted', message_id: '<1@mail.example>', subject: 'Our login' }
  const { id } = await app.db
    .insertInto('received_mails')
    .values({ ...values, from_name: 'Zoe', from_address })
    .returning('id')
    .executeTakeFirstOrThrow()
  const panel = await openPanel(app, 'support', `/support/unsorted?open=${id}`)
  return { app, user, id, ...panel }
}

test('a new ticket for a user adds the address to theirs; their page removes it, with Undo', async () => {
  const { app, user, go } = await openEmail()
  fill(await screen.findByRole('textbox', { name: 'Another record' }), 'Zoe')
  const button = await screen.findByRole('button', { name: /^New ticket for Zoe/ })
  expect(button.textContent).toContain('Adds zoe.berg@mail.example to their addresses')
  fireEvent.click(button)
  await screen.findByText(/zoe\.berg@mail\.example is now an address of this user\.$/)
  const addresses = async () => (await app.as('support').get(`/admin/users/${user}`))['data'].addresses
  expect(await addresses()).toEqual(['zoe.berg@mail.example'])
  await go(`/users/detail/zoe/${user}`)
  fireEvent.click(await screen.findByRole('button', { name: 'Remove zoe.berg@mail.example' }))
  await screen.findByText('zoe.berg@mail.example removed.')
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Other addresses' })).toBeNull())
  await clickUndo(/^zoe\.berg@mail\.example removed/)
  await waitFor(async () => expect(await addresses()).toEqual(['zoe.berg@mail.example']))
})

test('an address is added on the page of a user, and a refused one stays in its field', async () => {
  const { app, user, go } = await openEmail()
  await go(`/users/detail/zoe/${user}`)
  fireEvent.click(await screen.findByRole('button', { name: /^Show \d+ empty fields?$/ }))
  const add = async (address: string) => {
    fireEvent.click(await screen.findByRole('button', { name: 'Add address' }))
    const field = await screen.findByRole('textbox', { name: 'Add address' })
    fill(field, address)
    fireEvent.submit(field)
    return field
  }
  const addresses = async () => (await app.as('support').get(`/admin/users/${user}`))['data'].addresses
  const refused = await add('zoe@aalto.example')
  await screen.findByText('zoe@aalto.example is the address of a user already.')
  fill(refused, 'zoe.berg@mail.example')
  fireEvent.submit(refused)
  await screen.findByRole('button', { name: 'Remove zoe.berg@mail.example' })
  expect(await addresses()).toEqual(['zoe.berg@mail.example'])
  await clickUndo(/^zoe\.berg@mail\.example added/)
  await waitFor(async () => expect(await addresses()).toEqual([]))
})

test('a sender is blocked, with Undo, and unblocked in the list under Spam', async () => {
  const { app, id } = await openEmail('offers@prizes.example')
  const stateOf = async () => (await app.as('support').get(`/admin/received-mail/${id}`))['data'].state
  fireEvent.click(await screen.findByRole('button', { name: 'Block sender' }))
  await clickUndo(/^offers@prizes\.example blocked/)
  await screen.findByText('offers@prizes.example unblocked, and the email returned to Unsorted.')
  expect(await stateOf()).toBe('unsorted')
  fireEvent.click(await screen.findByRole('button', { name: 'Block sender' }))
  await waitFor(async () => expect(await stateOf()).toBe('spam'))
  const states = within(screen.getByRole('group', { name: 'State' }))
  fireEvent.click(states.getByRole('button', { name: /^Spam/ }))
  fireEvent.click(await screen.findByRole('button', { name: 'Blocked senders' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Blocked senders' }))
  fireEvent.click(await dialog.findByRole('button', { name: 'Unblock offers@prizes.example' }))
  await dialog.findByText(/^No blocked senders\./)
  expect(await stateOf()).toBe('spam')
})
