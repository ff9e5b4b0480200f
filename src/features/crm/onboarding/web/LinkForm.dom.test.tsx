import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Onboarding } from '#features/crm/onboarding/contract.ts'
import LinkForm from '#features/crm/onboarding/web/LinkForm.tsx'
import { asked, renderPage, settle, signIn } from '#web/dom.testing.tsx'

const step = {
  id: 4,
  stage: 1,
  completed_status: false,
  send_meeting_link: 'https://meet.example/1',
  contact_emails: ['aino@aalto.example'],
}
const onboarding = {
  id: 3,
  lead_id: 2,
  lead_for: 1,
  stage: 1,
  organization: 'Aalto Linen',
  addresses: [],
  contact_email: 'aino@aalto.example',
  steps: [step],
} as unknown as Onboarding

const open = (values: object = {}) =>
  renderPage(() => <LinkForm onboarding={{ ...onboarding, ...values }} onClose={() => {}} />)
const link = () => screen.findByRole<HTMLInputElement>('textbox', { name: /^Meeting link/ })
const sent = () => asked.filter(({ method }) => method === 'POST')

test('a meeting link that was cleared is required, and nothing is sent', async () => {
  signIn(['onboarding_send_attachment_link'])
  await open()
  expect((await link()).value).toBe('https://meet.example/1')
  fireEvent.change(await link(), { target: { value: '' } })
  fireEvent.click(screen.getByRole('button', { name: 'Send to 1 recipient' }))
  expect(await screen.findByText('This field is required.')).toBeTruthy()
  await settle()
  expect(sent()).toEqual([])
})

test('the link of a completed stage is not proposed', async () => {
  signIn(['onboarding_send_attachment_link'])
  await open({ stage: 2, steps: [{ ...step, completed_status: true }] })
  expect((await link()).value).toBe('')
})
