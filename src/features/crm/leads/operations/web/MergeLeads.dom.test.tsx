import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import MergeLeads from '#features/crm/leads/operations/web/MergeLeads.tsx'
import { asked, renderPage, signIn } from '#web/dom.testing.tsx'

const lead = (lead_id: number, version: number, phone: string) => ({
  lead_id,
  version,
  phone,
  country: phone === '111' ? 'Norway' : 'Sweden',
  companyName: `Company ${lead_id}`,
  contactName: `Contact ${lead_id}`,
  contact_role: '',
  lead_date: '2026-03-01',
  email: `one@${lead_id}.example`,
})
const preview = (version: number) => ({
  keep: lead(1, version, '111'),
  other: lead(2, version, '222'),
  differing: ['country', 'contactName'],
  suggested: [],
  better: 1,
  organizations: { keep: null, other: null },
})

/** Waits for a request that has not been answered yet, and answers it. */
async function answer(method: string, status: number, body: unknown): Promise<void> {
  const isIt = (one: (typeof asked)[number]) =>
    one.method === method && one.address.startsWith('/api/admin/users/merge-leads')
  const request = await screen.findByRole('dialog').then(() => asked.findLast(isIt))
  await act(async () => request?.answer(status, body))
}

test('a conflict keeps the choices and says what happened, on the newest versions', async () => {
  signIn(['lead_edit', 'lead_list'])
  await renderPage(() => <MergeLeads ids={[1, 2]} onMerged={() => {}} onClose={() => {}} />)
  await answer('GET', 200, preview(1))
  const theirs = (await screen.findAllByRole('radio')).filter(
    (one) => (one as HTMLInputElement).name === 'choice-country',
  )[1]!
  // A contact is chosen as a whole.
  expect(screen.getByText('Contact 2 · one@2.example · 222')).toBeTruthy()
  fireEvent.click(theirs)
  fireEvent.click(screen.getByRole('button', { name: 'Merge' }))
  await answer('POST', 409, {
    message: 'One of these leads has changed. Review the changes and merge again.',
  })
  await answer('GET', 200, preview(2))

  expect((await screen.findByRole('alert')).textContent).toContain('Review the changes and merge again.')
  expect((theirs as HTMLInputElement).checked).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Merge' }))
  await screen.findByRole('dialog')
  expect(asked.findLast(({ method }) => method === 'POST')?.body).toMatchObject({
    keep: 1,
    keep_version: 2,
    other_version: 2,
    take: ['country'],
  })
})
