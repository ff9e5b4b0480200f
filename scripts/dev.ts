// npm run dev: runs the server, which restarts when one of its files changes, behind Vite with hot reload on
// PORT.
import { spawn } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const host = process.env.HOST || '127.0.0.1'
const port = Number(process.env.PORT || 3000) || (await freePort())
const apiPort = await freePort()
const publicUrl = process.env.PUBLIC_URL || `http://${host.includes(':') ? `[${host}]` : host}:${port}`

const environment = {
  ...process.env,
  NODE_ENV: 'development',
  PUBLIC_URL: publicUrl,
  API_PORT: String(apiPort),
}
const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
const children = [
  spawn(process.execPath, ['--watch', '--watch-preserve-output', 'src/app/server/main.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...environment, HOST: '127.0.0.1', PORT: String(apiPort) },
  }),
  spawn(process.execPath, [vite, '--host', host, '--port', String(port), '--strictPort'], {
    cwd: root,
    stdio: 'inherit',
    env: environment,
  }),
]

let running = children.length
for (const child of children) {
  child.once('exit', (code) => {
    running -= 1
    process.exitCode ||= code ?? 0
    stop()
  })
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)
console.log(`The panel with hot reload: ${publicUrl}`)

function stop(): void {
  if (running > 0) for (const child of children) if (child.exitCode === null) child.kill('SIGTERM')
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port: found } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return found
}
