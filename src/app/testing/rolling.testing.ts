import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/* Users of several processes that are replaced. */

/** Returns a port that no program uses, for a process that must be told its port. */
export async function findFreePort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return String(port)
}

/** Requests of all users so far. */
export interface Used {
  isDone: boolean
  count: number
  failures: string[]
}

/** Reads and writes until `isDone`, each time at the next origin. */
export async function use(nextOrigin: () => string, token: string, used: Used): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  for (let turn = 0; !used.isDone; turn += 1) {
    const write = { method: 'POST', headers, body: JSON.stringify({ title: `Written ${turn}` }) }
    const url = `${nextOrigin()}/api/common/quick-task`
    const failure = await fetch(url, turn % 3 === 0 ? write : { headers }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status === 200 ? undefined : String(answer.status)
      },
      (error: unknown) => `${String(error)} ${String((error as Error).cause)}`,
    )
    if (failure === undefined) used.count += 1
    else used.failures.push(failure)
  }
}
