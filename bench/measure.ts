import { readFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'

export interface Figures {
  requests: number
  /** Milliseconds of CPU of the server process per request. */
  cpuMs: number
  perSecond: number
  p50: number
  p99: number
}

export interface Target {
  name: string
  pid: number
  origin: string
}

export interface Call {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

const ticksPerSecond = 100

/** Returns the CPU time that a process has used, with all its threads, in milliseconds; Linux only. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
}

/** Returns the memory of a process in MB. */
export const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

export async function send(
  { origin }: Target,
  agent: Agent,
  call: Call,
): Promise<{ status: number; body: string }> {
  return new Promise((done, fail) => {
    const request = httpRequest(
      `${origin}${call.path}`,
      {
        agent,
        method: call.method,
        headers: {
          ...call.headers,
          ...(call.body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(call.body) }),
        },
      },
      (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (text: string) => (body += text))
        response.on('end', () => done({ status: response.statusCode ?? 0, body }))
      },
    )
    request.on('error', fail)
    request.end(call.body)
  })
}

/** Sends a number of calls over a number of connections and measures them; every reply must be 200. */
export async function run(
  target: Target,
  count: number,
  connections: number,
  next: (index: number) => Call,
): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  let index = 0
  const cpuBefore = cpuOf(target.pid)
  const startedAt = performance.now()
  const worker = async () => {
    while (index < count) {
      const call = next(index++)
      const sentAt = performance.now()
      const { status, body } = await send(target, agent, call)
      if (status !== 200)
        throw new Error(`${target.name} answered ${status} to ${call.path}: ${body.slice(0, 300)}`)
      times.push(performance.now() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  const seconds = (performance.now() - startedAt) / 1000
  const cpuMs = (cpuOf(target.pid) - cpuBefore) / count
  agent.destroy()
  times.sort((a, b) => a - b)
  return {
    requests: count,
    cpuMs,
    perSecond: count / seconds,
    p50: times[Math.floor(times.length * 0.5)]!,
    p99: times[Math.floor(times.length * 0.99)]!,
  }
}

/** Combines the figures of several rounds by their medians, so that a disturbed round does not count. */
export function medianOf(rounds: readonly Figures[]): Figures {
  const median = (of: (figures: Figures) => number) =>
    rounds.map(of).sort((a, b) => a - b)[Math.floor(rounds.length / 2)]!
  return {
    requests: rounds.reduce((sum, one) => sum + one.requests, 0),
    cpuMs: median((f) => f.cpuMs),
    perSecond: median((f) => f.perSecond),
    p50: median((f) => f.p50),
    p99: median((f) => f.p99),
  }
}

export const ratio = (ours: number, theirs: number): string => `${(ours / theirs).toFixed(2)} ×`
