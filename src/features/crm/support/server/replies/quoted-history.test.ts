import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { inboundSecret } from '#features/crm/support/server/support.testing.ts'

const env = { ...inboundSecret, INBOUND_ADDRESS: 'replies@linen.example' }

let count = 0
/** Receives an email; returns the number of its ticket. */
async function receive(app: TestApp, email: Record<string, string>): Promise<number> {
  count += 1
  const { id } = await app.as(undefined).post(
    '/inbound/ticket',
    {
      message_id: `<${count}@aalto.example>`,
      from: 'Zoe <zoe@aalto.example>',
      subject: 'Towels',
      ...email,
    },
    { headers: { 'x-inbound-secret': inboundSecret.INBOUND_SECRET } },
  )
  return id as number
}

async function withTicket(email: Record<string, string> = { text: 'Where are they?' }) {
  const app = await startTestApp({ env })
  const id = await receive(app, email)
  const desk = app.as('support')
  return {
    app,
    id,
    answer: (message: string) => desk.post(`/admin/support/sendReply/${id}`, { message }),
    lastMail: () => app.db.selectFrom('mails').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow(),
    messages: async () =>
      ((await desk.get(`/admin/support/ticket/${id}`))['data'].messages as { message: string }[]).map(
        ({ message }) => message,
      ),
  }
}

const setSignature = (app: TestApp, signature: string) =>
  app.as('admin').post('/admin/mail-settings/senders', {
    product_id: null,
    name: '',
    address: '',
    color: '#7c3aed',
    signature,
    footer: '',
    version: 0,
  })

test('the email of an answer quotes the messages before it, newest first, as HTML and as text', async () => {
  const { app, answer, lastMail } = await withTicket()
  await answer('<p>In Halifax.</p>')
  await receive(app, { text: 'Until when?\n\nZoe', in_reply_to: (await lastMail()).message_id })
  await answer('<p>Until <strong>Monday</strong>.</p>')
  const { html, text } = await lastMail()
  expect(text).toMatch(
    /^Until Monday\.\n\nKind regards,\n[\w ]+\n\nOn \d+ \w+ \d{4}, \d\d:\d\d UTC, Zoe wrote:\n> Until when\?\n>\n> Zoe\n\nOn .+ wrote:\n> In Halifax\.\n\nOn .+, Zoe wrote:\n> Where are they\?\n$/,
  )
  const quotes = html
    .replaceAll(/ style="[^"]*"/g, '')
    .match(/<p>On [^<]+<\/p>\s*<blockquote>.*?<\/blockquote>/g)
  expect(quotes).toEqual([
    expect.stringContaining('<blockquote><p>Until when?</p><p>Zoe</p></blockquote>'),
    expect.stringContaining('<blockquote><p>In Halifax.</p></blockquote>'),
    expect.stringContaining('<blockquote><p>Where are they?</p></blockquote>'),
  ])
})

test('internal notes, undone replies, and messages of others are not quoted', async () => {
  const { app, id, answer, lastMail } = await withTicket()
  const desk = app.as('support')
  await desk.post('/admin/support/create-ticket/comment', { ticket_id: id, support_comment: 'A secret note' })
  await answer('<p>An undone reply</p>')
  const { id: mail_id } = await lastMail()
  await desk.post(`/admin/mail/${mail_id}/call-off`)
  const other = await receive(app, { from: 'eve@evil.example', text: 'The message of another customer' })
  await app.db.updateTable('ticket_messages').set({ ticket_id: id }).where('ticket_id', '=', other).execute()
  await answer('<p>In Halifax.</p>')
  const { text } = await lastMail()
  expect(text).toMatch(/^In Halifax\.\n\nKind regards,\n[\w ]+\n\nOn .+, Zoe wrote:\n> Where are they\?\n$/)
})

test('what someone in Cc wrote is quoted if the requester got it, too', async () => {
  const { app, id, answer, lastMail } = await withTicket()
  const ofBo = async (text: string, cc: string) => {
    const other = await receive(app, { from: 'Bo <bo@aalto.example>', subject: 'Re: Towels', text, cc })
    await app.db
      .updateTable('ticket_messages')
      .set({ ticket_id: id })
      .where('ticket_id', '=', other)
      .execute()
  }
  await ofBo('All of us need them.', 'Zoe@Aalto.example, kim@aalto.example')
  await ofBo('Between us.', 'kim@aalto.example')
  await answer('<p>In Halifax.</p>')
  const { text } = await lastMail()
  expect(text).toMatch(
    /\n\nOn .+, Bo wrote:\n> All of us need them\.\n\nOn .+, Zoe wrote:\n> Where are they\?\n$/,
  )
  expect(text).not.toContain('Between us.')
})

test('the words of a caller aren’t quoted to the requester of the ticket into which theirs is merged', async () => {
  const { app, id, answer, lastMail, messages } = await withTicket()
  const desk = app.as('support')
  const call = await desk.post('/admin/support/ticket', {
    title: 'Door code',
    message: '<p>The code is 4711.</p>',
    sender_name: 'Tom',
    sender_phone: '+43 1 555 01',
  })
  await desk.post(`/admin/support/ticket/${call['data'].id}/merge`, { into: id })
  expect(await messages()).toContainEqual(expect.stringContaining('4711'))
  await answer('<p>In Halifax.</p>')
  const { text } = await lastMail()
  expect(text).toContain('> Where are they?')
  expect(text).not.toContain('4711')
})

test('foreign HTML is quoted clean, without images and without what it quotes itself', async () => {
  const { answer, lastMail } = await withTicket({
    html: '<p onclick="x()">Where {{link}}?<img src="https://t.example/1.gif"></p><script>1</script><blockquote>Old <blockquote>older</blockquote> words</blockquote>',
    text: '',
  })
  await answer('<p>In Halifax.</p>')
  const { html, text } = await lastMail()
  expect(html.replaceAll(/ style="[^"]*"/g, '')).toContain(
    '<blockquote><p>Where &#123;&#123;link}}?</p></blockquote>',
  )
  expect(text).toContain('> Where { {link}}?')
})

test.each(['html', 'text'] as const)(
  'an answer that quotes our email with all its quotes brings only its new words: %s',
  async (part) => {
    const { app, answer, lastMail, messages } = await withTicket()
    await setSignature(app, 'Kind regards,\n{{my_name}}')
    await answer('<p>In Halifax.</p><ol><li>Behind the door</li></ol>')
    const reply = async (said: string) => {
      const mail = await lastMail()
      const head = 'On Sun, Nov 29, 2026 at 9:29 PM Linen <replies@linen.example> wrote:'
      const lines = mail.text.trimEnd().split('\n')
      await receive(app, {
        in_reply_to: mail.message_id,
        ...(part === 'html'
          ? {
              html: `<div dir="ltr">${said}</div><br><div class="gmail_quote"><div class="gmail_attr">${head.replaceAll('<', '&lt;')}<br></div><blockquote class="gmail_quote">${/<body[^>]*>([^]*)<\/body>/.exec(mail.html)![1]}</blockquote></div>`,
            }
          : { text: `${said}\n\n${head}\n\n${lines.map((line) => `> ${line}`.trimEnd()).join('\n')}\n` }),
      })
    }
    await reply('Thank you!')
    await answer('<p>You are welcome.</p>')
    await reply('One more thing.')
    const said = (await messages()).map((message) => message.replaceAll(/<[^>]*>/g, ''))
    expect([said[2], said[4]]).toEqual(['Thank you!', 'One more thing.'])
    // The received email is kept as it was.
    const received = await app.db
      .selectFrom('received_mails')
      .select(part)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(Object.values(received)[0]).toContain('Where are they?')
  },
)

test('an answer ends with the signature that the settings show, once', async () => {
  const { app, answer, lastMail } = await withTicket()
  const { name } = await app.db
    .selectFrom('staff')
    .select('name')
    .where('id', '=', app.as('support').id)
    .executeTakeFirstOrThrow()
  await answer('<p>In Halifax.</p>')
  expect((await lastMail()).text).toMatch(new RegExp(`^In Halifax\\.\n\nKind regards,\n${name}\n\nOn `))
  await setSignature(app, 'Best wishes,\n{{my_name}}')
  await answer('<p>In Halifax.</p>')
  expect((await lastMail()).text).toMatch(new RegExp(`^In Halifax\\.\n\nBest wishes,\n${name}\n\nOn `))
  // A saved reply can bring it.
  await answer(`<p>In Halifax.</p><p>Best wishes,<br>${name}</p>`)
  expect((await lastMail()).text).toMatch(new RegExp(`^In Halifax\\.\n\nBest wishes,\n${name}\n\nOn `))
})
