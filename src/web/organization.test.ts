import { expect, test } from 'vitest'
import { enterOrganization, openOrganization } from '#web/organization.ts'

test('the organization of the open record is used, of the record opened last if there are several, and none when all are closed', () => {
  expect(openOrganization()).toBe('')
  const leaveFirst = enterOrganization(7)
  const leaveSecond = enterOrganization(9)
  expect(openOrganization()).toBe('9')
  leaveFirst()
  expect(openOrganization()).toBe('9')
  leaveSecond()
  expect(openOrganization()).toBe('')
})
