import { afterEach, expect, test, vi } from 'vitest'
import { listen, openLive } from '#web/live.ts'

const { load, io } = vi.hoisted(() => ({
  load: vi.fn<() => Promise<{ live_port: number; live_url?: string }>>(),
  io: vi.fn((_address: string) => ({ on: vi.fn(), onAny: vi.fn(), disconnect: vi.fn() })),
}))
vi.mock('#web/config.ts', () => ({ config: load }))
vi.mock('#web/session.ts', () => ({
  accessToken: () => 'token',
  viewer: () => ({ id: 3 }),
  subscribe: () => () => {},
}))
vi.mock('socket.io-client', () => ({ io }))
vi.stubGlobal('location', {
  port: '80',
  protocol: 'http:',
  hostname: 'panel.example',
  origin: 'http://panel.example',
})

afterEach(() => void vi.clearAllMocks())

test('a failed load of the live connection is retried when a channel is joined next, and only once', async () => {
  load.mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue({ live_port: 80 })
  const close = openLive()
  await vi.dynamicImportSettled()
  expect(load).toHaveBeenCalledTimes(1)
  expect(io).not.toHaveBeenCalled()

  const stops = [listen('private-records.leads', 'changed', () => {})]
  await vi.dynamicImportSettled()
  expect(io).toHaveBeenCalledTimes(1)
  stops.push(listen('private-records.mails', 'changed', () => {}))
  await vi.dynamicImportSettled()
  expect([load.mock.calls.length, io.mock.calls.length]).toEqual([2, 1])
  for (const stop of [...stops, close]) stop()
})

test('nothing reopens by itself after closing', async () => {
  load.mockResolvedValue({ live_port: 80 })
  openLive()()
  listen('private-records.tags', 'changed', () => {})()
  await vi.dynamicImportSettled()
  expect(io).not.toHaveBeenCalled()
})

test.each([
  [{ live_port: 80 }, 'http://panel.example'],
  [{ live_port: 6001 }, 'http://panel.example:6001'],
  [{ live_port: 6001, live_url: 'https://live.example' }, 'https://live.example'],
])('with %j, the live connection is opened at %s', async (answer, address) => {
  load.mockResolvedValue(answer)
  const close = openLive()
  await vi.dynamicImportSettled()
  close()
  expect(io.mock.calls.map(([first]) => first)).toEqual([address])
})
