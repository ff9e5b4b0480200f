import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { expectNoneRefused, fill, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { winLead } from '#features/crm/onboarding/server/onboarding.testing.ts'

/* Sessions on the page of an onboarding are planned as those of a lead: with length, hosts, place, and guests. */

test('a session of an onboarding has a length, hosts, and guests, and says before it is saved what its host has then', async () => {
  const app = await startTestApp()
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const { id } = await winLead(app, { email: 'aino@aalto.example', timezone })
  const host = app.as('data_entry')
  await host.post(`/admin/users/onboarding/${id}`, { assign_to: host.id })
  await host.post('/admin/users/post-session', {
    lead_onboaring_id: id,
    type: 'Training',
    final_date: new Date('2026-03-20T10:30').toISOString(),
    minutes: 45,
  })
  const { sent } = await openPanel(app, 'data_entry', `/on-boarding/details/onboarding/${id}`)
  fireEvent.click(await screen.findByRole('button', { name: 'New session' }))
  const form = within(await screen.findByRole('dialog', { name: 'New session' }))
  const time = await form.findByLabelText('Scheduled time', { selector: 'input' })
  fill(time, '20 March 2026 10:00')
  fireEvent.blur(time)
  const conflict = await form.findByText(/^Lucia Moretti has/)
  expect(conflict.textContent).toContain('“Training” with Aalto Linen from 10:30 to 11:15.')
  fireEvent.change(form.getByLabelText('Length'), { target: { value: '30' } })
  await waitFor(() => expect(form.queryByText(/^Lucia Moretti has/)).toBeNull())
  fill(form.getByLabelText('Place or link'), 'Room 2')
  const guests = await form.findByLabelText('More guests', { selector: 'input' })
  fill(guests, 'sam@aalto.example')
  press('Enter', {}, guests)
  await form.findByText(/Email an invitation .* to aino@aalto.example, sam@aalto.example/)
  fireEvent.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent.findLast(({ path }) => path.endsWith('/post-session'))?.body).toMatchObject({
    minutes: 30,
    place: 'Room 2',
    guests: ['sam@aalto.example'],
    invite: true,
  })

  const shown = within(screen.getByRole('region', { name: 'Sessions' }))
  await shown.findByText(/30 min with Lucia Moretti/)
  expect(shown.getByText('Room 2')).toBeTruthy()
  fireEvent.click(shown.getAllByRole('button', { name: /^Edit/ })[1]!)
  const edited = within(await screen.findByRole('dialog', { name: /^Edit/ }))
  fill(await edited.findByLabelText('Place or link'), 'Room 3')
  fireEvent.click(edited.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  // Only what changed is sent.
  expect(
    Object.keys(sent.findLast(({ path }) => path.endsWith('/post-session'))!.body as object).toSorted(),
  ).toEqual(['id', 'lead_onboaring_id', 'place'])
  await expectNoneRefused({ sent })
})
