import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import { openDatabase, type Db } from '#server/db/db.ts'
import { createTestDatabase } from '#server/db/testing.ts'
import { openRealSession } from '#app/testing/process.testing.ts'
import { openMailServer, type ReceivedMail } from '#server/mail/mail-server.testing.ts'
import { startServer, stopServer, type Server } from './server.ts'

/*
 * Each file of tests runs on its own panel: a server with a copy of the demo database and of its files,
 * and its own mail server. Tests of different files cannot disturb each other. A failed test ends its worker,
 * so its retry, too, begins with a new panel.
 */

/** Environment variable for passing the folder with the demo files from the global setup to the workers. */
export const filesVariable = 'DEMO_FILES'

export interface Panel {
  url: string
  /** The emails that the panel has sent so far. */
  mails: readonly ReceivedMail[]
  /** Addresses that the mail server rejects. */
  refused: Set<string>
  /** Opens a session without a password; returns its token. */
  openSession: (user_name: string) => Promise<string>
  /** Returns the server's output so far, for diagnosing failures. */
  words: () => string
  close: () => Promise<void>
}

let current: Panel | undefined
let server: Server | undefined
// If the worker ends before its panel is closed, for example because a test run is interrupted.
process.on('exit', () => server?.child.kill('SIGKILL'))

/** Returns the panel that this process has opened. */
export function panel(): Panel {
  if (!current) throw new Error('There is no panel: tests import `test` from ./panel.ts.')
  return current
}

/** Starts a panel with the demo data. A process has one panel at a time. */
export async function openPanel(): Promise<Panel> {
  const [database, mails, dataDir] = await Promise.all([
    createTestDatabase(),
    openMailServer(),
    mkdtemp(join(tmpdir(), 'admin-panel-e2e-')),
  ])
  await cp(process.env[filesVariable]!, dataDir, { recursive: true })
  const started = await startServer(database.connection, dataDir, {
    SMTP_URL: mails.url,
    MAIL_FROM: 'Linen <panel@linen.example>',
  })
  server = started
  const { db, close: closeDatabase } = openDatabase({ ...database.connection, max: 1 })
  current = {
    url: started.url,
    mails: mails.received,
    refused: mails.refused,
    openSession: (user_name) => openSessionOf(db, user_name),
    words: started.words,
    close: async () => {
      current = undefined
      await closeDatabase()
      try {
        await stopServer(started)
      } finally {
        await mails.close()
        await database.drop()
        await rm(dataDir, { recursive: true, force: true })
      }
    },
  }
  return current
}

async function openSessionOf(db: Db, user_name: string): Promise<string> {
  const { id } = await db
    .selectFrom('staff')
    .select('id')
    .where('user_name', '=', user_name)
    .executeTakeFirstOrThrow()
  return openRealSession(db, id)
}

/** Keeps the panel of the file that a worker is running. */
interface Panels {
  of: (file: string) => Promise<Panel>
}

export const test = base.extend<{ panel: Panel }, { panels: Panels }>({
  panels: [
    async ({}, provide) => {
      let open: { file: string; panel: Panel } | undefined
      // A server that does not end well fails the run, not the first test of the next file.
      const failures: unknown[] = []
      const close = async () => open?.panel.close().catch((error: unknown) => failures.push(error))
      await provide({
        of: async (file) => {
          if (open?.file !== file) {
            await close()
            open = { file, panel: await openPanel() }
          }
          return open.panel
        },
      })
      await close()
      if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('\n'))
    },
    { scope: 'worker' },
  ],
  panel: [
    async ({ panels, browser }, provide, info) => {
      const opened = await panels.of(info.file)
      await provide(opened)
      if (info.status !== info.expectedStatus) await info.attach('server', { body: opened.words() })
      // An open page of a finished test would load again whatever later tests change.
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
    { auto: true },
  ],
  baseURL: ({ panel: { url } }, provide) => provide(url),
})
