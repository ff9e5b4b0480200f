import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'

test.each(['PORT', 'LIVE_PORT'])('if another program uses a port, the line names %s', async (name) => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { app } = await startTestApp({ env: { [name]: String(port) } })
  await expect(app.listen()).rejects.toThrow(
    `Another program uses port ${port}. Set ${name} to another port.`,
  )
})
