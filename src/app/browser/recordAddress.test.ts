import { expect, test } from 'vitest'
import { defaultGrants, roleIds, type RoleId } from '#shared/access.ts'
import '#app/browser/router.tsx'
import { pageOf, recordAddress } from '#web/record/recordAddress.ts'

const person = (role_id: RoleId) => ({
  id: 1,
  role_id,
  products: [1],
  permissions: new Set(defaultGrants[role_id]),
  firstName: 'A',
  lastName: 'B',
  avatar: null,
})

/**
 * Roles for which a record's number is shown as a link, given the seeded permissions and the route guard,
 * which limits some roles to a few sections.
 */
const links: readonly (readonly [type: string, readonly RoleId[]])[] = [
  ['lead', [0, 1, 2, 6]],
  ['organization', [0, 1, 4, 7, 10, 11]],
  ['ticket', [0, 1, 4, 7, 10, 11]],
  ['task', [0, 1, 4, 7, 8, 9, 10, 11, 12]],
  ['designer_task', [0, 1, 7, 10, 11, 13]],
  // A type without a page that can be opened by number, and a name that is not a type.
  ['quick_task', []],
  ['toString', []],
]

test.each(links)('only users with access to a record get a link to it: %s', (type, roles) => {
  expect(roleIds.filter((role) => recordAddress(type, 7, person(role)) !== undefined)).toEqual(roles)
  expect(recordAddress(type, 7, undefined)).toBeUndefined()
})

test('a URL contains the readable name if it is known', () => {
  expect([
    pageOf('lead', 482),
    pageOf('lead', 482, 'Aalto Linen'),
    pageOf('designer_task', 9, 'Banner'),
  ]).toEqual(['/demo-leads/lead/482', '/demo-leads/aalto-linen/482', '/designer-tasks?task=9'])
})
