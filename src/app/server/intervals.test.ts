import { expect, onTestFinished, test, vi } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'

test('a server that was closed leaves no interval, which would keep running for the life of the process', async () => {
  // The first server of a process makes the parts that all of them share.
  await (await startTestApp()).close()
  const [set, clear] = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'clearInterval')]
  onTestFinished(() => void vi.restoreAllMocks())
  const { as, close } = await startTestApp()
  expect((await as('admin').get('/auth/admin-user')).status).toBe(200)
  await close()
  const cleared = new Set<unknown>(clear.mock.calls.map(([timer]) => timer))
  const left = set.mock.results.filter(({ value }) => !cleared.has(value))
  expect(left).toHaveLength(0)
})
