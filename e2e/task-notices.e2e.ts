import { expect } from '@playwright/test'
import { api, asUser, expectAccessible, expectQuietConsole } from './helpers.ts'
import { test } from './panel.ts'

test('a delivered task: one customer is sent a message, one is skipped, and the task is set as notified', async ({
  page,
}) => {
  await asUser(page, 'super_admin')
  const enter = async (title: string, sender_name: string, more: object) =>
    (
      await api(page, 'POST', '/admin/support/ticket', {
        title,
        message: '<p>Could each customer have its own wash programs?</p>',
        sender_name,
        ...more,
      })
    ).data.id as number
  const first = await enter('Own wash programs', 'Anja Deshpande', { sender_email: 'anja@linen.example' })
  const second = await enter('Programs by phone', 'Jonas Pedersen', { sender_phone: '+45 33 55 01 91' })
  await api(page, 'POST', '/admin/support/change-tickets', {
    selection: { ids: [second] },
    change: { kind: 'incident', incident_id: first },
  })
  const { task_id: task } = await api(page, 'POST', `/admin/support/ticket-indevelopment/${first}`)
  await api(page, 'POST', `/common/task/change-status/${task}`, { status: 4 })

  await asUser(page, 'support')
  const isQuiet = expectQuietConsole(page)
  await page.goto(`/dashboard?task=${task}`)
  await page.getByRole('dialog', { name: 'Task Details' }).getByRole('button', { name: 'Notify' }).click()
  await expect(page.getByRole('heading', { name: 'Notify customers: Own wash programs' })).toBeVisible()
  const message = page.getByRole('textbox', { name: 'Message' })
  await expect(message).toContainText('Good news about “Own wash programs”')
  await expectAccessible(page)
  await message.press('Control+End')
  await message.pressSequentially(' See you soon.')
  await page.keyboard.press('Control+Enter')
  const customer = page.getByRole('region', { name: 'Customer', exact: true })
  await expect(customer.getByRole('heading', { name: 'Jonas Pedersen' })).toBeVisible()
  await expect(customer.getByRole('link', { name: '+45 33 55 01 91' })).toBeVisible()
  await page.keyboard.press('s')
  await page.getByRole('textbox', { name: 'Reason' }).fill('Called')
  await page.getByRole('dialog').getByRole('button', { name: 'Skip' }).click()
  await expect(page.getByText('Notified', { exact: true })).toBeVisible()
  const { data } = await api(page, 'GET', `/admin/support/ticket/${first}`)
  expect(data.messages.at(-1).message).toContain('See you soon.')
  expect(data.tasks[0].status_name).toBe('Delivered')
  const { data: notices } = await api(page, 'GET', `/admin/support/task-notices/${task}`)
  expect(notices.is_notified).toBe(true)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/support/notify/${task}`)
  await page.getByRole('button', { name: /Anja Deshpande/ }).click()
  await expect(customer.getByText(/sent Anja Deshpande a message/)).toBeVisible()
  await page.getByRole('button', { name: 'Back to list' }).click()
  await expect(customer).toBeHidden()
  isQuiet()
})
