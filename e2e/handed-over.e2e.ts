import { expect } from '@playwright/test'
import { api, asUser, chooseFound, expectAccessible, holdUndo, row } from './helpers.ts'
import { deliver, rowsOf, titlesOf } from './inbox.ts'
import { test } from './panel.ts'

/* A desk that is handed over: its agent leaves, and a colleague continues with the tickets. */

test('the tickets of an agent who leaves are a colleague’s from then on, live, and the agent’s again after Undo', async ({
  page,
  browser,
}) => {
  const titles = ['Handover press', 'Handover dryer', 'Handover scanner']
  const ids = await deliver(...titles)
  const tom = await (await browser.newContext()).newPage()
  await asUser(tom, 'support')
  const agent = await tom.evaluate(() => Number(localStorage.getItem('admin_id')))
  await api(tom, 'POST', '/admin/support/change-tickets', {
    selection: { ids },
    change: { kind: 'assign', assignee_id: agent },
  })
  // A solved ticket stays with the agent who solved it.
  await api(tom, 'POST', '/admin/support/change-tickets', {
    selection: { ids: [ids[2]] },
    change: { kind: 'status', status: 4 },
  })

  await tom.goto('/support?queue=mine')

  const colleague = await (await browser.newContext()).newPage()
  await asUser(colleague, 'admin')
  await colleague.setViewportSize({ width: 1440, height: 900 })
  await colleague.goto('/support?queue=mine&search=handover')
  await expect(colleague.getByText('No results match your filters').first()).toBeVisible()

  await asUser(page, 'super_admin')
  await page.goto('/admin-users?search=tom')
  const agentRow = row(page, 'Tom Whitfield')
  await agentRow.hover()
  await agentRow.getByRole('button', { name: /^Deactivate Tom/ }).click()
  const dialog = page.getByRole('dialog', { name: /^Deactivate Tom/ })
  await expect(dialog).toContainText(/\d+ tickets\./)
  await chooseFound(dialog.getByLabel('Reassign to'), 'Martin Keller')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  const undo = await holdUndo(page, 'deactivated')

  await expect(rowsOf(colleague)).toHaveCount(2)
  expect((await titlesOf(colleague)).toSorted()).toEqual(['Handover dryer', 'Handover press'])
  await expect(tom.getByRole('dialog')).toContainText(/sign in/i)

  await undo.click()
  await expect(colleague.getByText('No results match your filters').first()).toBeVisible()
  const { data } = await api(page, 'GET', `/admin/support/ticket/${ids[0]}`)
  expect(data.assignee_id).toBe(agent)
  await tom.context().close()
  await colleague.context().close()
})
