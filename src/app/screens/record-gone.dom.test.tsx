import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { queries } from '#web/api/queries.ts'

/* Someone else moves a record to the trash while a user writes on its page. */

const enterContract = async ({ as }: TestApp) =>
  (await as('admin').post('/admin/create_contract', { title: 'Laundry', status: 1 }))['data'].id

const alerts = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)

const places = [
  {
    type: 'customer_user',
    one: 'customer user',
    enter: async ({ db }: TestApp) => enterUser(db, await enterOrganization(db), 'Anna'),
    address: (id: number) => `/users/detail/anna/${id}`,
    field: { name: 'Write a note' },
  },
  {
    type: 'organization',
    one: 'organization',
    enter: ({ db }: TestApp) => enterOrganization(db),
    address: (id: number) => `/organizations/detail/none/0/${id}`,
    field: { name: 'Write a note' },
  },
  {
    type: 'contract',
    one: 'contract',
    enter: enterContract,
    address: (id: number) => `/customer-contracts/update-contract/${id}`,
    field: { name: /^Title/ },
  },
] as const

test.each(places)(
  'the page of a $type that someone else moves to the trash stays with what the user writes, says who did, and restores it',
  async ({ type, one, enter, address, field }) => {
    const app = await startTestApp()
    const id = await enter(app)
    await openPanel(app, 'super_admin', address(id))
    const text = () => screen.getByRole<HTMLTextAreaElement>('textbox', field)
    await screen.findByRole('textbox', field)
    fill(text(), 'Calls back on Monday.')
    const removed = await app.as('admin').post(`/admin/records/${type}/trash`, { ids: [id] })
    expect(removed.status).toBe(200)
    await queries.invalidateQueries()

    const notice = await screen.findByText(new RegExp(`moved this ${one} to the trash`))
    expect(notice.textContent).toContain('Martin Keller')
    expect(text().value).toBe('Calls back on Monday.')
    expect(alerts()).toEqual([])
    fireEvent.click(screen.getByRole('button', { name: 'Restore' }))
    await waitFor(() => expect(screen.queryByText(/Nothing can be changed here/)).toBeNull())
    expect(text().value).toBe('Calls back on Monday.')
  },
)
