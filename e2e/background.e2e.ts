import { expect } from '@playwright/test'
import { api, asUser, expectAccessible } from './helpers.ts'
import { test } from './panel.ts'

test('a large restore shows its progress on the list, and its undo what was skipped and why', async ({
  page,
}) => {
  await asUser(page, 'super_admin')
  await page.goto('/customer-contracts')
  const many = 510
  const ids: number[] = await page.evaluate(async (count) => {
    const create = async (index: number) => {
      const answer = await fetch('/api/admin/create_contract', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${localStorage.getItem('access_token')}`,
        },
        body: JSON.stringify({ title: `Bulk terms ${index}`, content: '<p>Ours.</p>' }),
      })
      return (await answer.json()).data.id as number
    }
    const made: number[] = []
    for (let from = 0; from < count; from += 30)
      made.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(30, count - from) }, (_, at) => create(from + at)),
        )),
      )
    return made
  }, many)
  const { operation } = await api(page, 'POST', '/admin/records/contract/trash', { ids })
  const stateOf = async () => (await api(page, 'GET', `/admin/operations/${operation.id}`)).data.state
  await expect.poll(stateOf).toBe('done')

  // The first response is from the middle of the operation.
  let asked = 0
  await page.route('**/api/admin/operations/*', async (route) => {
    const answer = await route.fetch()
    const json = await answer.json()
    asked += 1
    await route.fulfill({
      json: asked > 1 ? json : { ...json, data: { ...json.data, state: 'running', seen: 500 } },
    })
  })
  await page.reload()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Trash', exact: true }).click()
  await page.getByRole('searchbox', { name: 'Search trash' }).fill('bulk terms')
  await page.getByRole('button', { name: `Restore all ${many}` }).click()
  await page.keyboard.press('Escape')
  const summary = `Restored from the trash: ${many} contracts`
  await expect(page.getByRole('progressbar', { name: `Progress of ${summary}` })).toBeVisible()
  await expect(page.getByText(`500 of ${many}`)).toBeVisible()
  const undo = page.getByText(summary).locator('..').getByRole('button', { name: 'Undo' })
  await expect(undo).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  await expect(page.getByRole('table')).toContainText('Bulk terms')

  // A contract that was edited since then is skipped.
  const { version } = (await api(page, 'POST', `/admin/contract/${ids[3]}`)).data
  await api(page, 'POST', `/admin/update_contract/${ids[3]}`, { title: 'Edited since', version })
  await undo.click()
  await expect(page.getByText(`Undone: ${summary}`)).toBeVisible()
  await page.getByText('1 skipped').click()
  await expect(page.getByText('Edited since: changed by Ingrid Solheim since then')).toBeVisible()
  await expectAccessible(page)
  await api(page, 'POST', '/admin/records/contract/trash', { ids: [ids[3]] })
})
