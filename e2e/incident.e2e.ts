import { expect } from '@playwright/test'
import { api, asUser, expectAccessible, expectQuietConsole } from './helpers.ts'
import { test } from './panel.ts'

test('an incident: its tickets get one answer, one of them its own text, and a note', async ({ page }) => {
  await asUser(page, 'support')
  const enter = async (title: string, sender_name: string, sender_email?: string) =>
    (
      await api(page, 'POST', '/admin/support/ticket', {
        title,
        message: '<p>The handheld beeps, but nothing is counted.</p>',
        sender_name,
        ...(sender_email ? { sender_email } : { sender_phone: '+45 33 55 01 91' }),
      })
    ).data.id as number
  const head = await enter('Towel tags aren’t read', 'Ximena Oyelaran', 'ximena@kestrel.example')
  const ids = [
    await enter('Counts are too low since Sunday', 'Mateo Quiñones', 'mateo@solmere.example'),
    await enter('Handheld beeps', 'Jonas Pedersen'),
  ]
  await api(page, 'POST', '/admin/support/change-tickets', {
    selection: { ids },
    change: { kind: 'incident', incident_id: head },
  })
  const isQuiet = expectQuietConsole(page)
  await page.goto(`/support/ticket/${ids[0]}/0`)
  await page.getByRole('link', { name: 'Open the incident' }).click()
  await expect(page).toHaveURL(`/support/incident/${head}`)
  await expect(page.getByRole('checkbox', { name: `Choose #${ids[1]}` })).not.toBeChecked()
  await page.keyboard.press('r')
  await page.keyboard.type('Hi {{first_name}}, we know why.')
  const email = (name: string) => page.frameLocator(`iframe[title="Email to ${name}"]`)
  await expect(email('Ximena Oyelaran').getByText('Hi Ximena, we know why.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowRight')
  await expect(email('Mateo Quiñones').getByText('Hi Mateo, we know why.')).toBeVisible()
  await page.getByRole('button', { name: 'Edit for Mateo Quiñones only' }).click()
  const own = page.getByRole('textbox', { name: `Text for #${ids[0]} only` })
  await own.press('Control+End')
  await own.pressSequentially(' Only yours is fixed.')
  await expect(page.getByText('Has its own text')).toBeVisible()
  await page.getByRole('button', { name: 'Show the email' }).click()
  await expect(email('Mateo Quiñones').getByText('Only yours is fixed.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send 2 replies', exact: true }).click()
  await expect(page.getByText('Sending 2 replies.')).toBeVisible()
  const last = async (id: number) =>
    (await api(page, 'GET', `/admin/support/ticket/${id}`)).data.messages.at(-1).message as string
  expect(await last(head)).toContain('Ximena, we know why.')
  expect(await last(ids[0]!)).toContain('Mateo, we know why. Only yours is fixed.')

  await page.getByRole('checkbox', { name: `Choose #${ids[1]}` }).check()
  await page.keyboard.press('n')
  await page.getByRole('textbox', { name: 'Note on all' }).fill('Jonas was called.')
  await page.getByRole('button', { name: 'Add 3 notes' }).click()
  await expect(page.getByText('Note added to 3 tickets.')).toBeVisible()
  const { data } = await api(page, 'GET', `/admin/support/ticket/${ids[1]}`)
  expect(data.comments[0].support_comment).toBe('Jonas was called.')

  await page.getByRole('button', { name: 'Edit Incident note' }).click()
  await page.getByRole('textbox', { name: 'Incident note' }).fill('Count by hand until 4.0.3.')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Counts are too low since Sunday' }).click()
  await expect(page.getByText('Count by hand until 4.0.3.')).toBeVisible()
  isQuiet()
})
