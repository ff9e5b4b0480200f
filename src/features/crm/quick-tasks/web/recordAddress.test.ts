import { expect, test } from 'vitest'
import { defaultGrants, roleIds, type RoleId } from '#shared/access.ts'
import { entities } from '#features/crm/quick-tasks/rules.ts'
import { recordAddress } from '#features/crm/quick-tasks/web/recordAddress.ts'

/** Whom what a quick task is about is a link for: by the grants of the seeds, and by the guard, which keeps some roles in a few sections. */
const links: Record<(typeof entities)[number], readonly RoleId[]> = {
  lead: [0, 1, 2, 6],
  organization: [0, 1, 4, 7, 10, 11],
  ticket: [0, 1, 4, 7, 10, 11],
  task: [0, 1, 4, 7, 8, 9, 10, 11, 12],
  designer_task: [0, 1, 7, 10, 11, 13],
}

test.each(entities)('a quick task about this kind of record links to it for those who may open it alone: %s', (entity) => {
  const led = roleIds.filter((role_id) => {
    const person = { id: 1, role_id, products: [1], permissions: new Set(defaultGrants[role_id]), firstName: 'A', lastName: 'B', avatar: null }
    return recordAddress(entity, 7, person) !== undefined
  })
  expect(led).toEqual(links[entity])
  expect(recordAddress(entity, 7, undefined)).toBeUndefined()
})
