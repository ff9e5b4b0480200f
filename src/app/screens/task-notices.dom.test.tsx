import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { enterTask } from '#features/tasks/tasks/server/tasks.testing.ts'

const support = '/admin/support'

/** A delivered task whose customers are two people with an email address, and one without. */
async function withTask() {
  const app = await startTestApp()
  const enter = async (title: string, sender_email?: string) =>
    (await enterTicket(app.db, { title, ...(sender_email === undefined ? {} : { sender_email }) })).id
  const head = await enter('Own wash programs', 'jana@resort.example')
  const second = await enter('Programs per hotel', 'bert@spa.example')
  const phoned = await enter('By phone')
  await app.db
    .updateTable('tickets')
    .set({ sender_phone: '+45 33 55 01 91' })
    .where('id', '=', phoned)
    .execute()
  await app.as('support').post(`${support}/change-tickets`, {
    selection: { ids: [second, phoned] },
    change: { kind: 'incident', incident_id: head },
  })
  const organization = await enterOrganization(app.db)
  const task = await enterTask(app.db, { title: 'Wash programs', status: 4, ticket_id: head })
  await app.db
    .insertInto('task_organizations')
    .values({ task_id: task, organization_id: organization })
    .execute()
  const show = async () => (await app.as('support').get(`${support}/task-notices/${task}`))['data']
  const messageCount = async (id: number) =>
    (await app.as('support').get(`${support}/ticket/${id}`))['data'].messages.length as number
  return { app, head, second, phoned, task, show, messageCount }
}

const queue = () => within(screen.getByRole('list', { name: 'Customers of this task' }))
/** Returns the field of the message once it has the proposed text. */
const proposed = (title: string) =>
  waitFor(() => {
    const field = screen.getByRole('textbox', { name: 'Message' })
    expect(field.textContent).toContain(`Good news about “${title}”`)
    return field
  })
const heading = (name: string) => screen.findByRole('heading', { level: 2, name })

test('each customer is sent a message or skipped, and the task is set as notified after the last one', async () => {
  const { app, head, second, task, show, messageCount } = await withTask()
  const { sent } = await openPanel(app, 'support', `/support/notify/${task}`)
  await heading('jana@resort.example')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Set as notified' }).disabled).toBe(true)
  screen.getByText('0 of 3 notified')
  const text = await proposed('Own wash programs')
  screen.getByText(`Re: Own wash programs [#${head}]`)
  fireEvent.click(screen.getByRole('checkbox', { name: `Set #${head} to Closed` }))
  press('Enter', { ctrlKey: true }, text)
  await heading('bert@spa.example')
  const first = sent.find(({ path }) => path.endsWith('/send'))!
  expect(first.body).not.toHaveProperty('status')
  await waitFor(() => expect(queue().getByText('Sent')).toBeTruthy())
  expect(await messageCount(head)).toBe(2)

  press('s', {}, document.body)
  const dialog = within(await screen.findByRole('dialog', { name: 'Skip bert@spa.example?' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Skip' }))
  await dialog.findByText('This field is required.')
  fireEvent.change(dialog.getByRole('textbox', { name: /^Reason/ }), { target: { value: 'Left the spa' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Skip' }))
  await screen.findByText(/No email address\. $|No email address\./, { selector: 'p' })
  screen.getByRole('link', { name: '+45 33 55 01 91' })
  await waitFor(() => expect(queue().getByText('Left the spa')).toBeTruthy())
  expect(await messageCount(second)).toBe(1)

  fireEvent.click(screen.getByRole('button', { name: 'Skip…' }))
  const last = within(await screen.findByRole('dialog', { name: /^Skip / }))
  fireEvent.change(last.getByRole('textbox', { name: /^Reason/ }), { target: { value: 'Called' } })
  fireEvent.click(last.getByRole('button', { name: 'Skip' }))
  await screen.findByText('Notified')
  expect((await show()).is_notified).toBe(true)
})

test('U undoes the last skip and the last message, whose text is in its form again', async () => {
  const { app, head, task, show } = await withTask()
  await openPanel(app, 'support', `/support/notify/${task}`)
  const stateOf = async () => (await show()).customers[0].notice?.state ?? null
  await heading('jana@resort.example')
  fireEvent.click(await screen.findByRole('button', { name: 'Skip…' }))
  const dialog = within(await screen.findByRole('dialog', { name: /^Skip / }))
  fireEvent.change(dialog.getByRole('textbox', { name: /^Reason/ }), { target: { value: 'Called' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Skip' }))
  await heading('bert@spa.example')
  await waitFor(() => expect(queue().getByText('Skipped')).toBeTruthy())
  press('u', {}, document.body)
  await heading('jana@resort.example')
  await waitFor(async () => expect(await stateOf()).toBeNull())

  press('Enter', { ctrlKey: true }, await proposed('Own wash programs'))
  await heading('bert@spa.example')
  await waitFor(() => expect(queue().getByText('Sent')).toBeTruthy())
  press('u', {}, document.body)
  await heading('jana@resort.example')
  await waitFor(async () => expect(await stateOf()).toBeNull())
  await screen.findByRole('checkbox', { name: `Set #${head} to Closed` })
  press('j', {}, document.body)
  await heading('bert@spa.example')
  press('k', {}, document.body)
  await heading('jana@resort.example')
})

test('what someone else did meanwhile is named, and a task that was reopened has no form', async () => {
  const { app, head, second, task, messageCount } = await withTask()
  await openPanel(app, 'support', `/support/notify/${task}`)
  const text = await proposed('Own wash programs')
  await app.as('admin').post(`${support}/task-notices/${task}/${head}/skip`, { reason: 'Called' })
  press('Enter', { ctrlKey: true }, text)
  await screen.findByText(/already skipped jana@resort\.example/)
  await screen.findByText(/skipped jana@resort\.example,.*: Called$/)
  fireEvent.click(queue().getByRole('button', { name: /bert@spa/ }))
  const next = await proposed('Programs per hotel')
  await app.as('admin').post(`/common/task/change-status/${task}`, { status: 6 })
  press('Enter', { ctrlKey: true }, next)
  await screen.findByText(/This task is no longer delivered: its status is In QA/)
  await screen.findByText(/This task is not delivered: its status is In QA/)
  expect(screen.queryByRole('button', { name: 'Send and next' })).toBeNull()
  expect(await messageCount(second)).toBe(1)
})

test('the preview is the email, and a page that failed is loaded again', async () => {
  const { app, head, task } = await withTask()
  const { go, intercept } = await openPanel(app, 'support', '/dashboard')
  const stop = intercept('GET', /task-notices\/\d+$/, () => ({
    status: 500,
    body: { message: 'The line is busy.' },
  }))
  await go(`/support/notify/${task}`)
  const retry = await screen.findByRole('button', { name: 'Retry' })
  stop()
  fireEvent.click(retry)
  await heading('jana@resort.example')
  fireEvent.click(await screen.findByRole('button', { name: 'Preview' }))
  const preview = within(await screen.findByRole('dialog', { name: 'Preview' }))
  await preview.findByText(`Re: Own wash programs [#${head}]`)
  await waitFor(() => expect(preview.getByTitle('Email')).toBeTruthy())
})

test('a task without a ticket is marked as notified after a question', async () => {
  const { app } = await withTask()
  const task = await enterTask(app.db, { status: 4 })
  await openPanel(app, 'support', `/support/notify/${task}`)
  fireEvent.click(await screen.findByRole('button', { name: 'Mark as notified' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Mark this task as notified?' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Proceed' }))
  await screen.findByText('This task is set as notified')
})

test('a role that can’t open tickets sees that it has no access', async () => {
  const { app, task } = await withTask()
  const { sent } = await openPanel(app, 'developer', `/support/notify/${task}`)
  await screen.findByText('You don’t have access to this page')
  expect(sent.filter(({ path }) => path.includes('task-notices'))).toEqual([])
})

test('Notify in the bell leads to the customers of a task', async () => {
  const { app, task } = await withTask()
  const { address } = await openPanel(app, 'support', '/dashboard')
  fireEvent.click(await screen.findByRole('button', { name: /^Notifications/ }))
  fireEvent.click(await screen.findByRole('tab', { name: /^Tasks/ }))
  fireEvent.click(await screen.findByRole('button', { name: 'Notify customer: Wash programs' }))
  await heading('jana@resort.example')
  expect(address()).toContain(`/support/notify/${task}`)
})
