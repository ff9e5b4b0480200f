import { expect, test } from 'vitest'
import { defaultGrants } from '#shared/access.ts'
import type { RoleGrants } from '#features/admin/settings/roles.contract.ts'
import {
  changeToDefault,
  isChanged,
  isEmpty,
  previewText,
  toggled,
} from '#features/admin/settings/web/grants.ts'

const crm = (changed: Partial<RoleGrants> = {}): RoleGrants => ({
  id: 2,
  name: 'CRM',
  people: 3,
  members: [],
  permissions: [...defaultGrants[2]],
  ...changed,
})

test('a preview counts the people who gain or lose permissions', () => {
  const role = crm()
  expect(previewText({ role, grant: ['lead_reject'], revoke: [] })).toBe('3 people get “Reject leads”')
  expect(previewText({ role, grant: [], revoke: ['lead_reject'] })).toBe('3 people lose “Reject leads”')
  expect(
    previewText({ role: crm({ people: 1 }), grant: ['lead_edit'], revoke: ['lead_list', 'lead_detail'] }),
  ).toBe('1 person gets “Edit leads” and loses 2 permissions')
  expect(previewText({ role: crm({ people: 0 }), grant: ['lead_edit'], revoke: [] })).toBe(
    '0 people get “Edit leads”',
  )
})

test('only what differs from a new panel is changed, and the reset reverses exactly that', () => {
  expect(isEmpty(changeToDefault(crm()))).toBe(true)
  const role = crm({
    permissions: [...defaultGrants[2].filter((one) => one !== 'lead_reject'), 'media_list'],
  })
  expect(isChanged(role, 'lead_reject')).toBe(true)
  expect(isChanged(role, 'media_list')).toBe(true)
  expect(isChanged(role, 'lead_list')).toBe(false)
  expect(isChanged(role, 'post_view')).toBe(false)
  expect(changeToDefault(role)).toEqual({ role, grant: ['lead_reject'], revoke: ['media_list'] })
})

test('a group is granted as far as it is missing and, once complete, revoked', () => {
  const role = crm({ permissions: ['lead_list'] })
  const group = ['lead_list', 'lead_edit'] as const
  expect(toggled(role, group)).toEqual({ role, grant: ['lead_edit'], revoke: [] })
  const complete = crm({ permissions: ['lead_list', 'lead_edit'] })
  expect(toggled(complete, group)).toEqual({ role: complete, grant: [], revoke: ['lead_list', 'lead_edit'] })
})
