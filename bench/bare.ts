import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { flags, getChromium } from '../scripts/chromium.ts'

/*
 * A Chromium that is controlled by its own protocol alone. A test driver keeps a second world of scripts ready in every
 * page; with the CPU throttled, that delays the page's first paint.
 */

interface Answer {
  id?: number
  result?: any
  error?: { message: string }
}

type Send = (method: string, params?: object) => Promise<any>

export interface BarePage {
  send: Send
  /** Evaluates an expression in the page and returns its value, passed as JSON. */
  read: <Value>(expression: string) => Promise<Value>
  close: () => Promise<void>
}

export interface BareBrowser {
  /** Opens an empty page, with an empty cache and an empty storage. */
  open: () => Promise<BarePage>
  close: () => Promise<void>
}

export async function launchBare(): Promise<BareBrowser> {
  const home = mkdtempSync(join(tmpdir(), 'admin-panel-chromium-'))
  const child = spawn(
    getChromium(),
    [...flags, '--headless=new', '--remote-debugging-port=0', `--user-data-dir=${home}`, 'about:blank'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  const ended = new Promise((done) => child.once('exit', done))
  const address = await new Promise<string>((found, failed) => {
    createInterface(child.stderr).on('line', (line) => {
      const said = /listening on (ws:\S+)/.exec(line)?.[1]
      if (said) found(said)
    })
    void ended.then(() => failed(new Error('Chromium did not start.')))
  })
  const socket = new WebSocket(address)
  await new Promise((done, failed) => {
    socket.addEventListener('open', done)
    socket.addEventListener('error', failed)
  })
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Answer
    if (message.id !== undefined) waiting.get(message.id)?.(message)
  })
  let calls = 0
  const sendTo =
    (sessionId?: string): Send =>
    (method, params = {}) =>
      new Promise((done, failed) => {
        const id = ++calls
        waiting.set(id, ({ result, error }) => {
          waiting.delete(id)
          if (error) failed(new Error(`${method}: ${error.message}`))
          else done(result)
        })
        socket.send(JSON.stringify({ id, method, params, sessionId }))
      })
  const browser = sendTo()

  return {
    async open() {
      const { browserContextId } = await browser('Target.createBrowserContext')
      const { targetId } = await browser('Target.createTarget', { url: 'about:blank', browserContextId })
      const { sessionId } = await browser('Target.attachToTarget', { targetId, flatten: true })
      const send = sendTo(sessionId)
      await send('Emulation.setDeviceMetricsOverride', {
        width: 1280,
        height: 720,
        deviceScaleFactor: 1,
        mobile: false,
      })
      return {
        send,
        read: async (expression) =>
          JSON.parse(
            (await send('Runtime.evaluate', { expression: `JSON.stringify(${expression})` })).result.value,
          ),
        close: () => browser('Target.disposeBrowserContext', { browserContextId }),
      }
    },
    async close() {
      child.kill()
      await ended
      socket.close()
      // Processes that Chromium started can outlive it with the same pipe, which would keep this one from ending.
      child.stderr.destroy()
      rmSync(home, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
