import { createRequire } from 'node:module'
import type { AddressInfo, Server, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Certificate for localhost that no one else trusts; its key is public, so it is for tests only. */
export const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBljCCATugAwIBAgIUEUbxwjVPa+cu87fEcdFLU3aCUnAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNDE3MDQ1OFoYDzIxMjYxMDMx
MTcwNDU4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASIHeIHmzuYTBwvE/3VmvN5BEfP9IzwGdqWSY+6V2UdUN5I74QDPeBE
uN2DymYjGhhyc4rZ7hmRRiEzANeUXCZTo2kwZzAdBgNVHQ4EFgQU5EV0EzIPJRGH
SvYnBEFIZ7YPiAcwHwYDVR0jBBgwFoAU5EV0EzIPJRGHSvYnBEFIZ7YPiAcwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SQAwRgIhAJ50GXF4pwpF26+wXnQkiezH6qMETIHZ5zS7A8Yi57+IAiEApbm0Xktv
opcU+uUwuv2ExRGxsfIaHsMjduPN5otl32E=
-----END CERTIFICATE-----`
const testKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg2eMUgzI1qEeIBkEC
HhwoxR+rRWeIN+RombgJcG4tHomhRANCAASIHeIHmzuYTBwvE/3VmvN5BEfP9Izw
GdqWSY+6V2UdUN5I74QDPeBEuN2DymYjGhhyc4rZ7hmRRiEzANeUXCZT
-----END PRIVATE KEY-----`

interface Hoodiecrow {
  server: Server
  listen: (port: number, host: string, done: () => void) => void
  appendMessage: (mailbox: string, flags: string[], date: Date, raw: string) => void
  getMailbox: (name: string) => { uidvalidity: number; messages: { flags: string[]; raw: string }[] }
}

/** Starts a real IMAP server on loopback, with the mailbox `testuser` and the password `testpass`. */
export async function startImapServer() {
  const hoodiecrow = createRequire(import.meta.url)('hoodiecrow-imap') as (options: object) => Hoodiecrow
  const imap = hoodiecrow({
    plugins: ['IDLE', 'ID', 'SASL-IR', 'AUTH-PLAIN', 'XOAUTH2', 'ENABLE', 'UIDPLUS'],
    secureConnection: true,
    credentials: { key: testKey, cert: testCertificate },
    storage: { INBOX: { uidvalidity: 7, messages: [] }, '': {} },
  })
  const sockets = new Set<Socket>()
  imap.server.on('secureConnection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((ready) => imap.listen(0, '127.0.0.1', ready))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    imap.server.close()
  })
  return {
    port: (imap.server.address() as AddressInfo).port,
    append: (raw: string, date = new Date()) => imap.appendMessage('INBOX', [], date, raw),
    inbox: () => imap.getMailbox('INBOX'),
    sockets,
    /** Ends all connections. */
    cut,
  }
}
