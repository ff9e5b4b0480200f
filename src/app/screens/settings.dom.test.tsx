import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'

test('one save bar saves the scheduling widgets that changed; an error is at its product', async () => {
  const { sent } = await openPanel(await startTestApp(), 'super_admin', '/calendly-widget-settings')
  const form = async () => within(await screen.findByRole('form', { name: 'Scheduling' }))
  const url = async (name: string) => (await form()).findByRole('textbox', { name: `${name} widget URL` })
  const changes = () =>
    sent.filter(({ method, path }) => method === 'POST' && path === '/admin/calendly-widget')
  const save = async () => fireEvent.click((await form()).getByRole('button', { name: 'Save settings' }))
  fill(await url('Linen'), 'https://book.example.com/linen')
  fireEvent.click((await form()).getByRole('switch', { name: 'Linen widget on' }))
  fill(await url('staffer'), 'http://book.example.com/staffer')
  await save()
  await (await form()).findByText('Enter a URL that starts with https://.')
  expect((await url('staffer')).getAttribute('aria-invalid')).toBe('true')
  expect(changes()).toEqual([])

  fill(await url('staffer'), 'https://book.example.com/staffer')
  await save()
  await screen.findByText('Scheduling widget saved.')
  expect(changes().map(({ body }) => body)).toEqual([
    { product_id: 1, url: 'https://book.example.com/linen', on: true },
    { product_id: 2, url: 'https://book.example.com/staffer', on: false },
  ])
  // The form starts from what is saved; the preview is of a widget that is on.
  await screen.findByRole('button', { name: 'Preview of Linen widget' })
  await waitFor(async () =>
    expect((await form()).getByRole('button', { name: 'Save settings' })).toHaveProperty('disabled', true),
  )
  expect(screen.queryByRole('button', { name: 'Preview of staffer widget' })).toBeNull()
})
