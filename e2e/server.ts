import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type pg from 'pg'
import { startPanel, stopPanel, type Panel as Server } from '#app/testing/panel.testing.ts'

export type { Server }

/** Secret sent by the mail gateway. */
export const inboundSecret = 'a-secret-of-the-journeys-gateway'
/**
 * Time allowed for stopping the server: ten seconds for requests in flight, plus time to finish what runs in
 * the background.
 */
const stopMs = 20_000

/** Starts the production server on a database and a data folder. */
export async function startServer(
  connection: pg.PoolConfig,
  dataDir: string,
  env: Record<string, string> = {},
): Promise<Server> {
  const port = await findFreePort()
  return startPanel(dataDir, {
    env: {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      // Base URL for links in emails, such as the unsubscribe link.
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DATABASE_URL: urlOf(connection),
      INBOUND_SECRET: inboundSecret,
      INBOUND_ADDRESS: 'replies@linen.example',
      ...env,
    },
  })
}

/** Stops the server and throws if it does not end well. */
export async function stopServer(server: Server): Promise<void> {
  const timer = setTimeout(() => server.child.kill('SIGKILL'), stopMs)
  await stopPanel(server)
  clearTimeout(timer)
  const { exitCode, signalCode } = server.child
  if (exitCode !== 0)
    throw new Error(`The server did not end well after SIGTERM: ${exitCode ?? signalCode}\n${server.words()}`)
}

/** Returns a connection as a URL, also one through a socket. */
function urlOf({ connectionString, host, port, user, database }: pg.PoolConfig): string {
  if (connectionString) return connectionString
  return `postgres:///${database}?${new URLSearchParams({ host: host!, port: String(port), user: user! })}`
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
