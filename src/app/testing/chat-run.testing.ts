import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { io, type Socket } from 'socket.io-client'
import { channel, sentEvent, type ChatMessage } from '#features/panel/chat/contract.ts'
import { CatchUp } from '#features/panel/chat/web/catchUp.ts'

/*
 * Chat load test across several processes, some of which are killed; used by a test and by `npm run
 * bench:chat`.
 */

export interface PanelProcess {
  origin: string
  live: string
  /**
   * Sends SIGKILL to the whole process group, so that the process cannot announce its exit or close anything.
   */
  kill: () => Promise<void>
  /** Sends SIGTERM; resolves to the exit code when the process has ended. */
  stop: () => Promise<number | null>
}

const root = join(import.meta.dirname, '../../..')
const startMs = 60_000

/** Starts a panel on this database, in its own process group and with its own data folder. */
export async function startPanel(
  databaseUrl: string,
  dataDir: string,
  env: Record<string, string> = {},
): Promise<PanelProcess> {
  const child = spawn(process.execPath, [join(root, 'src/app/server/main.ts')], {
    cwd: root,
    detached: true,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: '0',
      LIVE_PORT: '0',
      LOG_LEVEL: 'info',
      RATE_LIMITS: 'off',
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((done) => child.once('exit', done))
  const signal = async (name: 'SIGKILL' | 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, name)
    return ended
  }
  try {
    const origin = await addressOf(child)
    const { live_port } = (await (await fetch(`${origin}/api/config`)).json()) as { live_port: number }
    return {
      origin,
      live: `http://127.0.0.1:${live_port}`,
      kill: async () => void (await signal('SIGKILL')),
      stop: () => signal('SIGTERM'),
    }
  } catch (error) {
    await signal('SIGKILL')
    throw error
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let output = ''
    const timer = setTimeout(() => failed(new Error(`The panel does not listen:\n${output}`)), startMs)
    child.once('exit', (code) => failed(new Error(`The panel ended with ${code}:\n${output}`)))
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-4000)
        const address = /Listening on (http:\/\/[^\s"]+)/.exec(output)?.[1]
        if (!address) return
        clearTimeout(timer)
        found(address)
      })
  })
}

type Message = Pick<ChatMessage, 'id' | 'message'>
/** Panels that clients and senders can use; killed ones are removed and new ones added. */
export type Panels = PanelProcess[]

const reconnectMs = 150
const readAtOnce = 100

/**
 * A client that listens and fetches what it may have missed, as the browser does. `plain` contains the
 * messages that listening alone would have shown.
 */
export class ChatClient {
  readonly shown: number[] = []
  readonly plain: number[] = []
  readonly heardAt = new Map<number, number>()
  readonly #panels: Panels
  readonly #token: string
  readonly #prefers: number
  readonly #catchUp: CatchUp<Message>
  #at: PanelProcess | undefined
  #socket: Socket | undefined
  #isClosed = false

  constructor(panels: Panels, token: string, prefers: number) {
    this.#panels = panels
    this.#token = token
    this.#prefers = prefers
    this.#catchUp = new CatchUp<Message>({
      read: async (after) => {
        const answer = await fetch(
          `${this.#at!.origin}/api/admin/messages?after=${after}&limit=${readAtOnce}`,
          {
            headers: { authorization: `Bearer ${token}` },
            signal: AbortSignal.timeout(5_000),
          },
        )
        if (!answer.ok) throw new Error(String(answer.status))
        const { data } = (await answer.json()) as { data: Message[] }
        return { messages: data, isAll: data.length < readAtOnce }
      },
      // A message that is both received live and fetched counts once; the page also deduplicates by ID.
      show: (messages) => {
        for (const { id } of messages) if (!this.shown.includes(id)) this.shown.push(id)
      },
      retryMs: 200,
    })
    this.#catchUp.setInitial(0)
  }

  /** Connects, and resolves when the channel has been joined. */
  connect(): Promise<void> {
    return new Promise((done) => {
      const open = (): void => {
        if (this.#isClosed) return
        const panel = this.#panels[this.#prefers % this.#panels.length]!
        const socket = io(panel.live, {
          auth: { token: this.#token },
          transports: ['websocket'],
          forceNew: true,
          reconnection: false,
        })
        this.#socket = socket
        const again = () => {
          this.#catchUp.setJoined(false)
          socket.removeAllListeners()
          socket.disconnect()
          setTimeout(open, reconnectMs)
        }
        socket.once('connect_error', again)
        socket.once('disconnect', again)
        socket.on(sentEvent, (_channel: string, message: Message) => {
          this.heardAt.set(message.id, performance.now())
          this.plain.push(message.id)
          this.#catchUp.receive(message)
        })
        socket.on('connect', () => {
          const auth = { headers: { Authorization: `Bearer ${this.#token}` } }
          socket.emit(
            'subscribe',
            { channel: `private-${channel}`, auth },
            ({ joined }: { joined: boolean }) => {
              if (!joined) return again()
              this.#at = panel
              this.#catchUp.setJoined(true)
              done()
            },
          )
        })
      }
      open()
    })
  }

  close(): void {
    this.#isClosed = true
    this.#catchUp.setJoined(false)
    this.#socket?.removeAllListeners()
    this.#socket?.disconnect()
  }
}

/**
 * Sends a message, always with the same client ID, until a panel acknowledges it; returns the message's
 * number.
 */
export async function sendSurely(
  panels: Panels,
  token: string,
  message: string,
  prefers: number,
): Promise<number> {
  const body = JSON.stringify({ message, client_id: randomUUID() })
  for (let attempt = 0; ; attempt += 1) {
    const panel = panels[(prefers + attempt) % panels.length]!
    const answer = await fetch(`${panel.origin}/api/admin/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(5_000),
    }).catch(() => undefined)
    if (answer?.ok) return ((await answer.json()) as { data: { id: number } }).data.id
    if (answer && answer.status < 500 && answer.status !== 429)
      throw new Error(`A message was refused: ${answer.status} ${await answer.text()}`)
    await new Promise((done) => setTimeout(done, 50))
  }
}

export interface KillRun {
  acknowledged: number
  stored: number
  /** Number of acknowledged messages that a client does not show, summed over all clients. */
  lost: number
  doubled: number
  /** Number of clients whose messages, ordered by ID, differ from those in the table. */
  differing: number
  /** Number of messages that clients would have lost by listening alone: the control. */
  lostByPlain: number
}

interface KillOptions {
  databaseUrl: string
  dataDirOf: (index: number) => string
  tokens: readonly string[]
  clients: number
  kills: number
  /** How long messages are sent before and after each kill, in milliseconds. */
  phaseMs: number
  perSecond: number
  /** Returns the IDs of all stored messages, in order. */
  findStored: () => Promise<number[]>
}

/**
 * Runs two panels under chat load, kills them one after the other while messages are being sent, and starts a
 * replacement for each.
 */
export async function runKills({
  databaseUrl,
  dataDirOf,
  tokens,
  clients,
  kills,
  phaseMs,
  perSecond,
  findStored,
}: KillOptions): Promise<KillRun> {
  let started = 0
  const start = () => startPanel(databaseUrl, dataDirOf(started++))
  const panels: Panels = await Promise.all([start(), start()])
  const tokenOf = (index: number) => tokens[index % tokens.length]!
  const all = Array.from({ length: clients }, (_, index) => new ChatClient(panels, tokenOf(index), index))
  const sent: Promise<number>[] = []
  let n = 0
  const timer = { id: undefined as NodeJS.Timeout | undefined }
  try {
    await Promise.all(all.map((client) => client.connect()))
    timer.id = setInterval(() => {
      n += 1
      sent.push(sendSurely(panels, tokenOf(n), `Message ${n}`, n))
    }, 1000 / perSecond)
    for (let kill = 0; kill < kills; kill += 1) {
      await new Promise((done) => setTimeout(done, phaseMs))
      const [victim] = panels.splice(kill % 2, 1)
      await victim!.kill()
      await new Promise((done) => setTimeout(done, phaseMs))
      panels.push(await start())
    }
    clearInterval(timer.id)
    const acknowledged = await Promise.all(sent)
    const stored = await findStored()
    const isDone = () => all.every((client) => acknowledged.every((id) => client.shown.includes(id)))
    for (let wait = 0; wait < 600 && !isDone(); wait += 1) await new Promise((done) => setTimeout(done, 100))
    const count = (list: (client: ChatClient) => number) => all.reduce((sum, client) => sum + list(client), 0)
    return {
      acknowledged: acknowledged.length,
      stored: stored.length,
      lost: count(({ shown }) => acknowledged.filter((id) => !shown.includes(id)).length),
      doubled:
        new Set(acknowledged).size === stored.length
          ? count(({ shown }) => shown.length - new Set(shown).size)
          : Math.abs(stored.length - acknowledged.length),
      differing: count(({ shown }) =>
        JSON.stringify(shown.toSorted((a, b) => a - b)) === JSON.stringify(stored) ? 0 : 1,
      ),
      lostByPlain: count(({ plain }) => acknowledged.filter((id) => !plain.includes(id)).length),
    }
  } finally {
    clearInterval(timer.id)
    for (const client of all) client.close()
    await Promise.allSettled(sent)
    await Promise.all(panels.map((panel) => panel.kill()))
  }
}
