import { expect, test } from 'vitest'
import { leads } from '#features/crm/leads/contract.ts'
import { permissions } from '#shared/access.ts'
import { permissionOf, type EndpointShape, type Input } from '#shared/endpoint.ts'
import { recordNotes } from '#shared/notes.contract.ts'
import { records } from '#shared/record.contract.ts'
import { onboardings } from '#features/crm/onboarding/contract.ts'

const viewer = { permissions: new Set(permissions) }
const permissionFor = ({ access }: Pick<EndpointShape, 'access'>, input: Partial<Input>) =>
  permissionOf(access, viewer, { params: {}, query: {}, body: {}, ...input })

test('X-Permission names the permission that the input requires', () => {
  const params = (type: string) => ({ params: { type, a: type, id: 1, b: 1 } })
  expect(permissionFor(records.history, params('organization'))).toBe('all_organization_list')
  expect(permissionFor(records.history, params('ticket'))).toBe('all_tickets_view')
  expect(permissionFor(recordNotes.add, params('organization'))).toBe('all_organization_note')
  expect(permissionFor(records.trash, params('tag'))).toBeUndefined()
  expect(permissionFor(leads.changeDemoRequestStatus, { query: { status: 2 } })).toBe('lead_edit')
  expect(permissionFor(leads.changeDemoRequestStatus, { query: { status: 8 } })).toBe('lead_reject')
  expect(permissionFor(onboardings.list, { query: { tab: 'in_progress' } })).toBe('onboarding_list')
})
