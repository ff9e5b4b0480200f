import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { chooseFound, expectQuietConsole, fill, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTask } from '#features/tasks/tasks/server/tasks.testing.ts'

const details = async () => within(await screen.findByRole('dialog', { name: 'Task Details' }))

/** Task Details as each of these users sees it: the tabs, and the lines with their values. */
const everything = ['Information', 'Support ticket details', 'Activity', 'Progress Report', 'Issues']
const allDates = {
  'Due date': '14 May 2031',
  'Developer due date': '12 May 2031',
  'Adh due date': '13 May 2031',
  'Required due date': '20 May 2031',
}
const empty: Record<string, string> = {
  'Support ticket details': 'No Record Found',
  'Progress Report': 'No Progress History Found',
  Issues: 'No Issue Found',
}
const own = ['Information', 'Progress Report', 'Issues']

test.each<[user: string, tabs: string[], lines: Record<string, string>, box: 'none' | 'off' | 'on']>([
  ['super_admin', everything, { 'Due date': '14 May 2031' }, 'on'],
  ['admin', everything, allDates, 'none'],
  ['adh', everything, allDates, 'off'],
  ['developer', own, { 'Due date': '12 May 2031' }, 'on'],
  ['csm', own, { 'Due date': '14 May 2031' }, 'on'],
  ['qa', ['Information', 'Issues'], {}, 'none'],
])(
  'Task Details shows %s the exact tabs, lines, buttons, and empty texts',
  async (user, tabs, lines, box) => {
    const app = await startTestApp()
    const id = await enterTask(app.db, {
      title: 'A panel',
      due_date: '2031-05-14',
      dev_due_date: '2031-05-12',
      adh_due_date: '2031-05-13',
      req_due_date: '2031-05-20',
    })
    const withIssue = await enterTask(app.db, { title: 'A box' })
    const issue = { task_id: withIssue, task_issue: 'It hums' }
    expect((await app.as('admin').post('/common/task/task-issue', issue)).status).toBe(200)
    const { go } = await openPanel(app, user, `/development-tasks?task=${id}`)
    const shown = await details()
    await shown.findAllByRole('tab')
    expect(shown.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(tabs)
    await waitFor(() => {
      const found = [...document.querySelector('[role=dialog] dl')!.querySelectorAll(':scope > div')].map(
        (line) => [line.querySelector('dt')!.textContent, line.querySelector('dd')!.textContent],
      )
      expect(found.map(([name]) => name)).toEqual([
        'Assignee',
        ...Object.keys(lines),
        'Priority',
        'Status',
        'Customers',
        'Created date',
      ])
      expect(Object.fromEntries(found)).toMatchObject({ ...lines, Assignee: '--', Customers: '--' })
    })
    for (const tab of tabs.filter((one) => one in empty)) {
      fireEvent.click(shown.getByRole('tab', { name: tab }))
      await shown.findByText(empty[tab]!)
    }

    await go(`/development-tasks?task=${withIssue}`)
    await screen.findByText('A box', { selector: '[role=dialog] *' })
    const other = await details()
    fireEvent.click(await other.findByRole('tab', { name: 'Issues' }))
    await other.findByText('It hums')
    for (const name of ['Close', 'Save'])
      expect(within(other.getByRole('tabpanel')).queryAllByRole('button', { name })).toHaveLength(
        box === 'on' ? 1 : 0,
      )
    const found = other.queryByRole<HTMLInputElement>('checkbox', { name: 'It hums' })
    expect(found ? (found.disabled ? 'off' : 'on') : 'none').toBe(box)
  },
)

test('an admin edits the holidays, and the calendar shows them', async () => {
  await openPanel(await startTestApp(), 'admin', '/development-tasks/schedular?on=2033-08-02')
  fireEvent.click(await screen.findByRole('button', { name: 'Holidays' }))
  const dialog = () => within(screen.getByRole('dialog', { name: 'Holidays' }))
  const remove = () => screen.queryByRole('button', { name: 'Remove Summer Fair' })
  await screen.findByRole('dialog', { name: 'Holidays' })
  const date = await dialog().findByLabelText('Date', { selector: 'input' })
  fill(date, '2033-08-03')
  act(() => date.blur())
  fill(dialog().getByLabelText('Name', { selector: 'input' }), 'Summer Fair')
  fireEvent.click(dialog().getByRole('button', { name: 'Add' }))
  await dialog().findByRole('button', { name: 'Remove Summer Fair' })
  press('Escape')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const day = screen.getByRole('heading', { name: /, 3 Aug 2033$/ }).closest('li')!
  await waitFor(() => expect(day.textContent).toContain('Summer Fair'))
  fireEvent.click(screen.getByRole('button', { name: 'Holidays' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Remove Summer Fair' }))
  await waitFor(() => expect(remove()).toBeNull())
})

test('a task’s customers are found by searching, in the form and in the filters', async () => {
  const app = await startTestApp()
  for (const name of ['Aalto Linen', 'Berg Hotels']) await enterOrganization(app.db, { name })
  const isQuiet = expectQuietConsole()
  await openPanel(app, 'admin', '/development-tasks')
  fireEvent.click((await screen.findAllByRole('button', { name: 'New task' }))[0]!)
  const form = within(await screen.findByRole('dialog', { name: /^New / }))
  fill(await form.findByLabelText(/^Title/), 'For two customers')
  const customer = () => form.getByRole<HTMLInputElement>('combobox', { name: 'Add customer' })
  for (const name of ['Aalto Linen', 'Berg Hotels']) {
    await chooseFound(await form.findByRole('combobox', { name: 'Add customer' }), name)
    await form.findByRole('button', { name: `Remove ${name}` })
    expect(customer().value).toBe('')
    expect(document.activeElement).toBe(customer())
  }
  fireEvent.click(form.getByRole('button', { name: 'Remove Aalto Linen' }))
  fireEvent.click(form.getByRole('button', { name: 'Create task' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: /^New / })).toBeNull())

  fireEvent.click(screen.getByRole('button', { name: 'More filters' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Customer: All customers' }))
  await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('combobox'))
  await chooseFound(document.activeElement as HTMLElement, 'Berg Hotels')
  await screen.findByRole('button', { name: 'Remove filter Customer: Berg Hotels' })
  await screen.findByRole('link', { name: 'For two customers' })
  isQuiet()
})

test.each([
  ['has no customer', 4, false, 'It has no customer. No email will be sent.'],
  ['isn’t delivered', 0, true, 'It isn’t delivered yet. No email will be sent.'],
  ['has no ticket', 4, true, 'No ticket is linked to it. No email will be sent.'],
])('Notify asks first if the task %s', async (_, status, hasCustomer, detail) => {
  const app = await startTestApp()
  const id = await enterTask(app.db, { status })
  if (hasCustomer)
    await app.db
      .insertInto('task_organizations')
      .values({ task_id: id, organization_id: await enterOrganization(app.db, { name: 'Berg Hotels' }) })
      .execute()
  const isQuiet = expectQuietConsole()
  await openPanel(app, 'support', `/dashboard?task=${id}`)
  const notify = await (await details()).findByRole('button', { name: 'Notify' })
  const title = 'Mark this task as notified?'
  const answer = async (name: string) => {
    fireEvent.click(notify)
    const question = within(await screen.findByRole('dialog', { name: title }))
    question.getByText(detail)
    fireEvent.click(question.getByRole('button', { name }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: title })).toBeNull())
  }
  await answer('Cancel')
  expect((await details()).getByRole('button', { name: 'Notify' })).toBeTruthy()
  await answer('Proceed')
  await screen.findByText('Marked as notified. No email was sent.')
  isQuiet()
})
