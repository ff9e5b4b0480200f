import { cleanup, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

test('people who were deactivated keep their names in histories', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const [from, to] = [as('csm').id, as('adh').id]
  const { id } = await enterTicket(db, { assignee_id: from })
  const organization = await enterOrganization(db, { assign_to: from })
  expect(await as('admin').post(`/admin/admin-users/${from}/deactivate`, { to })).toMatchObject({
    status: 200,
  })
  const people = await db.selectFrom('staff').select(['id', 'name']).execute()
  const nameOf = (staff_id: number) => people.find((one) => one.id === staff_id)!.name
  const shows = (field: string) =>
    screen.findByText(
      (_, node) =>
        node?.tagName === 'SPAN' &&
        node.textContent.endsWith(
          `changed the ${field} from ${nameOf(from)} to ${nameOf(to)} because someone was deactivated`,
        ),
    )
  await openPanel(app, 'support', `/support/ticket/${id}/0`)
  await shows('assignee')
  cleanup()
  await openPanel(app, 'admin', `/organizations/detail/aalto-linen/0/${organization}`)
  await shows('account owner')
})

test('a ticket whose merge was undone says from which one it was separated', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const [{ id }, { id: into }] = [await enterTicket(db), await enterTicket(db)]
  const { operation } = await as('support').post(`/admin/support/ticket/${id}/merge`, { into })
  expect(await as('support').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({ status: 200 })
  await openPanel(app, 'support', `/support/ticket/${id}/0`)
  await screen.findByText((_, node) => node?.textContent === `separated this ticket from #${into}`)
})
