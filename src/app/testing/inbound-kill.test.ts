import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { killAll, openDatabaseOf, startPanel, type Panel } from '#app/testing/panel.testing.ts'
import { fastTempDir } from '#server/db/testing.ts'

const all = 500
const secret = 'a-secret-of-thirty-two-characters'
const env = { INBOUND_SECRET: secret, DEMO_DATA: '0', ADMIN_PASSWORD: 'first-password' }

const email = (number: number) =>
  [
    `Message-ID: <${number}@client.example>`,
    `From: Client ${number} <c${number}@client.example>`,
    'To: support@linen.example',
    `Subject: Email ${number}`,
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    `Text ${number}`,
    '--b',
    'Content-Type: text/plain; name="log.txt"',
    'Content-Disposition: attachment; filename="log.txt"',
    '',
    `Log ${number}`,
    '--b--',
  ].join('\r\n')

async function start(dataDir: string): Promise<Panel> {
  const panel = await startPanel(dataDir, { env })
  onTestFinished(() => killAll(panel))
  return panel
}

/** Sends the emails eight at a time, as a gateway does: those that weren't confirmed stay in the queue. */
async function send(panel: Panel, waiting: Set<number>, onConfirmed: (count: number) => void): Promise<void> {
  let confirmed = 0
  const queue = [...waiting]
  const work = async () => {
    for (let number = queue.shift(); number !== undefined; number = queue.shift()) {
      const response = await fetch(`${panel.url}/api/inbound/email`, {
        method: 'POST',
        headers: { 'content-type': 'message/rfc822', 'x-inbound-secret': secret },
        body: email(number),
      }).catch(() => undefined)
      if (!response) return
      if (response.status !== 200) continue
      waiting.delete(number)
      confirmed += 1
      onConfirmed(confirmed)
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
}

test('panel and database are killed while five hundred emails arrive: each is there exactly once, with its file', async () => {
  const dataDir = mkdtempSync(join(fastTempDir(), 'panel-inbound-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const waiting = new Set(Array.from({ length: all }, (_, number) => number))
  let kills = 0
  while (waiting.size > 0) {
    const panel = await start(dataDir)
    let killed: Promise<void> | undefined
    await send(panel, waiting, (confirmed) => {
      if (kills < 2 && confirmed === 150) {
        kills += 1
        killed = killAll(panel)
      }
    })
    await killed
    if (waiting.size > 0) await killAll(panel)
    else {
      const { db, close } = openDatabaseOf(panel)
      const mails = await db.selectFrom('received_mails').select(['subject', 'problems']).execute()
      const files = await db
        .selectFrom('file_links')
        .select('file_id')
        .where('record_type', '=', 'received_mail')
        .execute()
      await close()
      expect(new Set(mails.map(({ subject }) => subject)).size).toBe(all)
      expect(mails).toHaveLength(all)
      expect(mails.flatMap(({ problems }) => problems)).toEqual([])
      expect(files).toHaveLength(all)
    }
  }
  expect(kills).toBe(2)
}, 240_000)
