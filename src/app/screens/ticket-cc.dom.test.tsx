import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPanel, press, write } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { inboundSecret } from '#features/crm/support/server/support.testing.ts'

/** A ticket of an email with two people in Cc. */
async function openTicket() {
  const app = await startTestApp({ env: inboundSecret })
  const { id } = await app.as(undefined).post(
    '/inbound/ticket',
    {
      message_id: '<1@aalto.example>',
      from: 'zoe@aalto.example',
      cc: 'bo@aalto.example, kim@aalto.example',
      subject: 'Towels',
      text: 'Where are they?',
    },
    { headers: { 'x-inbound-secret': inboundSecret.INBOUND_SECRET } },
  )
  const panel = await openPanel(app, 'support', `/support/ticket/${id}/0`)
  const sent = () => panel.sent.find(({ path }) => path.includes('/sendReply/'))
  return { sent }
}

const form = async () => within(await screen.findByRole('form', { name: 'Reply' }))
const textBox = () => screen.getByRole('textbox', { name: 'Message' })

test('a reply goes to those in Cc of the conversation', async () => {
  const { sent } = await openTicket()
  const reply = await form()
  await reply.findByText('bo@aalto.example')
  await write('Message', 'On their way.')
  press('Enter', { ctrlKey: true }, textBox())
  await waitFor(() => expect(sent()?.status).toBe(200))
  expect(sent()!.body).toMatchObject({ cc: ['bo@aalto.example', 'kim@aalto.example'] })
})

test('someone who is removed from Cc gets no copy, and is offered again', async () => {
  const { sent } = await openTicket()
  const reply = await form()
  const pill = (await reply.findByText('bo@aalto.example')).parentElement!
  fireEvent.click(pill.querySelector('button')!)
  await reply.findByRole('button', { name: 'Cc bo@aalto.example' })
  await write('Message', 'On their way.')
  press('Enter', { ctrlKey: true }, textBox())
  await waitFor(() => expect(sent()?.status).toBe(200))
  expect(sent()!.body).toMatchObject({ cc: ['kim@aalto.example'] })
})
