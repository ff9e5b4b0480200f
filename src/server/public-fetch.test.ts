import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fetchPublicUrl, isPublic, RefusedAddress, refusalReason } from '#server/public-fetch.ts'

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ origin: string; port: number; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = []
  const server: Server = createServer((request, response) => {
    asked.push(request)
    answer(request, response)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, port, asked }
}
const ok = (_request: IncomingMessage, response: ServerResponse) => void response.end('hello')

test.each([
  ['93.184.215.14', true],
  ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', true],
  ['127.0.0.1', false],
  ['127.8.8.8', false],
  ['10.1.2.3', false],
  ['172.16.0.1', false],
  ['192.168.1.1', false],
  ['100.64.0.1', false],
  ['169.254.169.254', false],
  ['168.63.129.16', false],
  ['0.0.0.0', false],
  ['192.0.2.7', false],
  ['198.18.0.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['240.0.0.1', false],
  ['::1', false],
  ['::', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:7f00:1', false],
  ['::ffff:93.184.215.14', true],
  ['64:ff9b::7f00:1', false],
  ['fe80::1', false],
  ['fc00::1', false],
  ['2001:db8::1', false],
  ['2002:7f00:1::', false],
  ['ff02::1', false],
  ['4000::1', false],
  ['nonsense', false],
])('%s is public: %s', (address, is) => {
  expect(isPublic(address)).toBe(is)
})

test.each([
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://user@example.com/',
  'http://user:secret@example.com/',
  'http://example.com:8080/',
  'http://example.com:22/',
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://0.0.0.0/',
  'http://10.0.0.5/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'nothing',
])('%s is refused without a request', async (address) => {
  await expect(fetchPublicUrl(address)).rejects.toBeInstanceOf(RefusedAddress)
  expect(refusalReason(address)).toEqual(expect.any(String))
})

test('the extra origin of a test is requested, exactly; control: without it, the guard refuses the same server', async () => {
  const { origin, port, asked } = await serve(ok)
  await expect(fetchPublicUrl(`${origin}/`)).rejects.toBeInstanceOf(RefusedAddress)
  await expect(fetchPublicUrl(`http://localhost:${port}/`, { extraOrigin: origin })).rejects.toBeInstanceOf(
    RefusedAddress,
  )
  await expect(
    fetchPublicUrl(`http://127.0.0.1:${port + 1}/`, { extraOrigin: origin }),
  ).rejects.toBeInstanceOf(RefusedAddress)
  expect(asked).toHaveLength(0)
  expect(await fetchPublicUrl(`${origin}/a?b`, { extraOrigin: origin })).toEqual({ status: 200 })
  expect(asked.map(({ url }) => url)).toEqual(['/a?b'])
})

test('the headers do not identify the panel', async () => {
  const { origin, asked } = await serve(ok)
  await fetchPublicUrl(origin, { extraOrigin: origin })
  expect(Object.keys(asked[0]!.headers).toSorted()).toEqual(['accept', 'connection', 'host'])
})

test('a host is refused if one of its addresses is not public', async () => {
  const named = (...addresses: string[]) =>
    fetchPublicUrl('http://inside.example/', {
      resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    })
  for (const addresses of [
    ['127.0.0.1'],
    ['93.184.215.14', '10.0.0.1'],
    ['93.184.215.14', '::1'],
    ['::ffff:10.0.0.1'],
    [],
  ])
    await expect(named(...addresses)).rejects.toBeInstanceOf(RefusedAddress)
  await expect(fetchPublicUrl('http://localhost/')).rejects.toBeInstanceOf(RefusedAddress)
})

test('a host is resolved once, and the connection goes to the address that was checked', async () => {
  const { port, asked } = await serve(ok)
  const answers = ['127.0.0.1', '127.9.9.9']
  const resolve = async () => [{ address: answers.shift()!, family: 4 }]
  const origin = `http://rebinding.example:${port}`
  expect(await fetchPublicUrl(origin, { extraOrigin: origin, resolve })).toEqual({ status: 200 })
  expect(answers).toEqual(['127.9.9.9'])
  expect(asked[0]!.headers.host).toBe(`rebinding.example:${port}`)
})

test('each redirect is checked like the first address', async () => {
  for (const location of [
    'http://127.0.0.1/',
    'http://169.254.169.254/latest',
    'http://[::1]/',
    'ftp://example.com/',
    'http://a@example.com/',
    '//10.0.0.1/',
    'http://localhost/',
  ]) {
    const { origin, asked } = await serve(
      (_request, response) => void response.writeHead(302, { location }).end(),
    )
    await expect(fetchPublicUrl(origin, { extraOrigin: origin })).rejects.toBeInstanceOf(RefusedAddress)
    expect([location, asked.length]).toEqual([location, 1])
  }
})

test('three redirects are followed, a fourth is not', async () => {
  const { origin, asked } = await serve(({ url }, response) => {
    const left = Number(url!.slice(1))
    void (left ? response.writeHead(301, { location: `/${left - 1}` }).end() : response.writeHead(404).end())
  })
  expect(await fetchPublicUrl(`${origin}/3`, { extraOrigin: origin })).toEqual({ status: 404 })
  await expect(fetchPublicUrl(`${origin}/4`, { extraOrigin: origin })).rejects.toBeInstanceOf(RefusedAddress)
  expect(asked).toHaveLength(8)
})

test('a server that does not respond within five seconds times out, and an endless response is not read', async () => {
  const { origin } = await serve((_request, response) => {
    response.writeHead(200)
    const more = setInterval(() => response.write('x'.repeat(65_536)), 1)
    response.on('close', () => clearInterval(more))
  })
  expect(await fetchPublicUrl(origin, { extraOrigin: origin })).toEqual({ status: 200 })
  const silent = await serve(() => {})
  const time = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal)
  onTestFinished(() => timeout.mockRestore())
  const isOver = new Error('Five seconds have passed.')
  const both = Promise.all([
    expect(fetchPublicUrl(silent.origin, { extraOrigin: silent.origin })).rejects.toThrow(isOver.message),
    expect(fetchPublicUrl('http://slow.example/', { resolve: () => new Promise(() => {}) })).rejects.toThrow(
      isOver.message,
    ),
  ])
  await expect.poll(() => silent.asked).toHaveLength(1)
  time.abort(isOver)
  await both
  expect(timeout.mock.calls).toEqual([[5_000], [5_000]])
})
