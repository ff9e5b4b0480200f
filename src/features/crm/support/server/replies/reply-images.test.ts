import { expect, test, vi } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { startMailServer, unfolded, withoutStyles } from '#server/mail/mail.testing.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const file = { name: 'screen.png', bytes: png, type: 'image/png' }

async function withTicket() {
  const server = await startMailServer()
  const started = await startTestApp({ env: { SMTP_URL: server.url } })
  const { id } = await enterTicket(started.db, { sender_email: 'zoe@aalto.example' })
  const stage = async (who: string) =>
    (await started.as(who).send('POST', '/files/stage', undefined, { form: { file } }))['data'].id as number
  const path = `/admin/support/sendReply/${id}`
  return { ...started, server, id, stage, path }
}

test('an image in a reply is where it was put, in the ticket and in its email', async () => {
  const { as, server, id, stage, path } = await withTicket()
  const support = as('support')
  const [image, other] = [await stage('support'), await stage('support')]
  const message = `<p>Press this:</p><img data-file-id="${image}" alt="The button" />`
  const { data, status } = await support.post(path, { message, file_ids: [other] })
  expect(status).toBe(200)
  await support.post(`/admin/mail/${data.mail_id}/retry`)
  await vi.waitFor(() => expect(server.received).toHaveLength(1), { timeout: 30_000 })
  const raw = withoutStyles(unfolded(server.received[0]!.raw))
  expect(raw).toContain(`<img src="cid:image-${image}@panel" alt="The button"`)
  expect(raw).toContain(`Content-ID: <image-${image}@panel>`)
  expect(raw.match(/Content-Disposition: \w+/g)!.toSorted()).toEqual([
    'Content-Disposition: attachment',
    'Content-Disposition: inline',
  ])
  const shown = (await support.get(`/admin/support/ticket/${id}`))['data'].messages.at(-1)
  expect(shown.message).toContain(`data-file-id="${image}"`)
  expect(shown.attachments.map((one: any) => [one.id, one.role]).toSorted()).toEqual([
    [image, 'inline'],
    [other, 'attachment'],
  ])
})

test('a reply can be just an image, but not one that the author can’t see, and not more than twenty', async () => {
  const { as, db, stage, path } = await withTicket()
  const send = (ids: readonly number[]) =>
    as('support').post(path, { message: ids.map((id) => `<img data-file-id="${id}" />`).join('') })
  expect((await send([await stage('support')])).status).toBe(200)
  expect((await send([await stage('admin')])).status).toBe(422)
  expect(await send(Array.from({ length: 21 }, (_, id) => id + 1))).toMatchObject({
    status: 422,
    errors: { message: ['A message can show at most 20 images.'] },
  })
  expect(await db.selectFrom('mails').select('id').execute()).toHaveLength(1)
})
