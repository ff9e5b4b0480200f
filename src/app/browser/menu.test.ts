import { expect, test } from 'vitest'
import { menu } from '#app/browser/menu.ts'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { linksOf, visibleMenu } from '#web/shell/menu.ts'

test('the menu has quick tasks for every role that the guard lets open them, with or without crm_view', () => {
  const seen = roleIds.filter((role_id) => {
    const viewer = { id: 1, role_id, permissions: new Set(defaultGrants[role_id]), products: [1] }
    return linksOf(visibleMenu(menu, viewer, 1)).some(({ to }) => to === '/quick-task/my-task')
  })
  expect(seen).toEqual([0, 1, 3, 4, 7, 8, 9, 10, 11, 13])
})
