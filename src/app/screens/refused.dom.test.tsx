import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { expectNoneRefused, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'

test.each([
  ['designer', '/demo-leads'],
  ['designer', '/demo-leads/follow-ups'],
  ['designer', '/demo-leads/demo-leads-schedule'],
  ['designer', '/demo-leads/operations'],
  ['designer', '/demo-leads/import'],
  ['designer', '/on-boarding/demo-leads-schedule'],
  ['designer', '/progress-report'],
  ['designer', '/settings/lists'],
  ['designer', '/settings/roles'],
  ['designer', '/settings/outbox'],
  ['support', '/notifications/new'],
  // Records, of which nothing is requested, so that they don't have to exist.
  ['designer', '/demo-leads/detail/1'],
  ['designer', '/on-boarding/detail/aalto-linen/1'],
  ['designer', '/organizations/detail/zoe/1/1'],
  ['designer', '/organizations/document/zoe/1'],
  ['designer', '/users/detail/zoe/1'],
  ['designer', '/support/ticket/132/0'],
  ['designer', '/support/incident/132'],
  ['designer', '/support-requests/request/132/0'],
  ['designer', '/support/notify/1'],
  ['designer', '/notifications/update-notification/1'],
  ['designer', '/customer-contracts/update-contract/1'],
  ['designer', '/term&conditions/1'],
  ['designer', '/posts/340-towels'],
  ['designer', '/posts/update-post/340-towels'],
  ['designer', '/faqs/1'],
  ['designer', '/faqs/update-faq/1'],
  ['designer', '/case-study/340-towels'],
] as const)('%s sees no actions at %s, and no request is refused', async (role, address) => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { main, sent } = await openPanel(await startTestApp(), role, address)
  expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy()
  expect(await main().findByText('You don’t have access to this page')).toBeTruthy()
  expect(main().getByRole('link', { name: 'Go to dashboard' })).toBeTruthy()
  for (const role of ['searchbox', 'table', 'status', 'textbox'] as const)
    expect(main().queryAllByRole(role)).toEqual([])
  if (address.startsWith('/settings'))
    expect(document.querySelector('main')!.textContent).toContain('Only Super Admins and Admins can ')
  await expectNoneRefused({ sent })
  expect(said).not.toHaveBeenCalled()
})

test('a designer sees no actions on a lead, and no request is refused', async () => {
  const app = await startTestApp()
  const lead = { lead_for: 1, companyName: 'Morvale Clinic' }
  const { data } = await app.as('crm').post('/admin/users/save-demo-requests', lead)
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { main, sent } = await openPanel(app, 'designer', `/demo-leads/morvale-clinic/${data.lead_id}`)
  expect(await main().findByRole('heading', { level: 1 })).toBeTruthy()
  await expectNoneRefused({ sent })
  for (const role of ['searchbox', 'table', 'status', 'textbox'] as const)
    expect(main().queryAllByRole(role)).toEqual([])
  expect(said).not.toHaveBeenCalled()
})
