import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startPanel } from '#app/testing/chat-run.testing.ts'
import { findFreePort, use, type Used } from '#app/testing/rolling.testing.ts'
import { setUp } from '../../bench/setup.ts'

/** Longer than the Caddy of deploy/ needs to notice whether a process is ready. */
const noticeMs = 5000

/**
 * Restarts two processes behind the Caddy of deploy/, one after the other, while four users read and write; throws if
 * a request failed. The control: with both stopped, requests fail. Used by test-servers.ts.
 */
export async function checkBehindCaddy(folder: string, example: string): Promise<string> {
  const bench = await setUp(0, '2026-11-20')
  const front = await findFreePort()
  const ports = [await findFreePort(), await findFreePort()]
  const start = (port: string) =>
    startPanel(bench.url, bench.dataDir, {
      PORT: port,
      LIVE_PORT: port,
      DRAIN_SECONDS: String(noticeMs / 1000),
    })
  const panels = await Promise.all(ports.map(start))
  const stopCaddy = await startCaddy(folder, example, front, ports)
  const used: Used = { isDone: false, count: 0, failures: [] }
  const users = [1, 2, 3, 4].map(() => use(() => `http://127.0.0.1:${front}`, bench.token, used))
  try {
    for (const [index, port] of ports.entries()) {
      await panels[index]!.stop()
      panels[index] = await start(port)
      await delay(noticeMs)
    }
    const { count } = used
    if (used.failures.length > 0 || count < 100)
      throw new Error(`${used.failures.length} of ${count} requests failed: ${used.failures.join(', ')}`)
    await Promise.all(panels.map((panel) => panel.stop()))
    if (used.failures.length === 0) throw new Error('Its control passed')
    return `${count} requests, none failed`
  } finally {
    used.isDone = true
    await Promise.all(users)
    await Promise.all(panels.map((panel) => panel.kill()))
    await stopCaddy()
    await bench.stop()
  }
}

/** Starts Caddy with the example, without TLS, in front of these ports; returns the function that stops it. */
async function startCaddy(folder: string, example: string, front: string, ports: string[]) {
  const upstreams = ports.map((port) => `127.0.0.1:${port}`).join(' ')
  const site = readFileSync(example, 'utf8').replace('panel:3000 {', `${upstreams} {`)
  const path = join(folder, 'Caddyfile.behind')
  writeFileSync(path, `{\n\tadmin off\n}\n${site}`)
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', path], {
    env: { PATH: process.env['PATH'], HOME: folder, PUBLIC_HOST: `http://127.0.0.1:${front}` },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  for (let tries = 0; !(await answers(front)); tries += 1) {
    if (tries > 100 || child.exitCode !== null) throw new Error('Caddy did not start')
    await delay(100)
  }
  return async () => {
    child.kill('SIGTERM')
    await ended
  }
}

const answers = (port: string) =>
  fetch(`http://127.0.0.1:${port}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  )
