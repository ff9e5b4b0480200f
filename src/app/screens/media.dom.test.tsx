import { createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { chooseFiles, openPanel, skipRetryWaits } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'

async function picture(name: string, green: number): Promise<File> {
  const background = { r: 3, g: green, b: 200 }
  const bytes = await sharp({ create: { width: 20, height: 20, channels: 3, background } })
    .png()
    .toBuffer()
  return new File([new Uint8Array(bytes)], name, { type: 'image/png' })
}
const queue = () => screen.queryByRole('list', { name: 'Uploads' })
const queueIsEmpty = () => waitFor(() => expect(queue()).toBeNull())
const choose = async (...files: File[]) =>
  chooseFiles(await screen.findByLabelText('Images', { selector: 'input' }), ...files)
const stored = (name: string) => screen.findByRole('button', { name: new RegExp(`^Open ${name}`) })

test('images are deleted after a confirmation that names them, and never one that is out of view', async () => {
  await openPanel(await startTestApp(), 'super_admin', '/media')
  await choose(await picture('towel.png', 10))
  await stored('towel.png')
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select towel.png' })
  fireEvent.click(box)
  fireEvent.click(await screen.findByRole('button', { name: 'Delete 1' }))
  const question = within(await screen.findByRole('dialog', { name: 'Delete towel.png?' }))
  expect(question.getByText('This can’t be undone.')).toBeTruthy()
  fireEvent.click(question.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(box.checked).toBe(true)
  const show = within(screen.getByRole('group', { name: 'Show' }))
  fireEvent.click(show.getByRole('button', { name: /^No alt text/ }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete 1' })).toBeNull())
})

test('a rejected image is retried by hand, and a stalled one is canceled', async () => {
  const { intercept } = await openPanel(await startTestApp(), 'admin', '/media')
  skipRetryWaits()
  const upload = /^\/admin\/media\/upload-media\//
  const works = intercept('POST', upload, () => ({
    status: 500,
    body: { message: 'The server is out of disk space.' },
  }))
  await choose(await picture('late.png', 10))
  await waitFor(() => expect(queue()?.textContent).toContain('The server is out of disk space.'))
  works()
  fireEvent.click(screen.getByRole('button', { name: 'Retry late.png' }))
  await stored('late.png')
  await queueIsEmpty()

  const answers = intercept('POST', upload, () => new Promise(() => {}))
  await choose(await picture('never.png', 20))
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel never.png' }))
  await queueIsEmpty()
  answers()
  await choose(await picture('next.png', 30))
  await stored('next.png')
  expect(screen.queryByRole('button', { name: /^Open never.png/ })).toBeNull()
})

test.each(['drop', 'paste'] as const)('images are brought by %s', async (way) => {
  await openPanel(await startTestApp(), 'admin', '/media')
  const zone = await screen.findByText(/^Drop or paste images anywhere/)
  const brought = { files: [await picture('brought.png', 30)], types: ['Files'] }
  const event = way === 'drop' ? createEvent.drop(zone) : createEvent.paste(zone)
  Object.defineProperty(event, way === 'drop' ? 'dataTransfer' : 'clipboardData', { value: brought })
  fireEvent(zone, event)
  await stored('brought.png')
})

test('twelve images over an unreliable connection all reach the library, each once', async () => {
  const app = await startTestApp()
  const { intercept, sent } = await openPanel(app, 'super_admin', '/media')
  await screen.findByLabelText('Images', { selector: 'input' })
  let [requests, broken] = [0, 0]
  const upload = /^\/admin\/media\/upload-media\//
  intercept('POST', upload, async (_, forward) => {
    requests += 1
    if (requests % 4 !== 0) return forward()
    // Every other failed request reaches the server, and only its response is lost.
    if (broken % 2 === 0) await forward()
    broken += 1
    throw new TypeError('Failed to fetch')
  })
  skipRetryWaits()
  await choose(
    ...(await Promise.all(Array.from({ length: 12 }, (_, n) => picture(`towel-${n}.png`, n * 20)))),
  )
  await waitFor(() => expect(queue()).not.toBeNull())
  await queueIsEmpty()
  expect(broken).toBeGreaterThan(2)
  expect(sent.filter(({ path }) => upload.test(path)).length).toBe(12 + broken)
  const { data } = await app.as('super_admin').get('/admin/media?search=towel-&limit=100')
  expect(data).toHaveLength(12)
})
