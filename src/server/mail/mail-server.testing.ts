import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  to: string[]
  from: string
  messageId: string
  raw: string
}

export interface MailServer {
  url: string
  port: number
  received: ReceivedMail[]
  /** Addresses that the server rejects permanently (`refused`), and those that it defers once (`putOff`). */
  refused: Set<string>
  putOff: Set<string>
  /** Addresses whose next email the server accepts without ever confirming it. */
  unanswered: Set<string>
  close: () => Promise<void>
}

/** Starts an SMTP server on loopback that keeps all emails it receives. Port 0 means any free port. */
export async function openMailServer(port = 0): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const refused = new Set<string>()
  const putOff = new Set<string>()
  const unanswered = new Set<string>()
  const server = new SMTPServer({
    authOptional: true,
    // Connections that are still open must not delay the end of a test.
    closeTimeout: 500,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      if (refused.has(address))
        return done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }))
      if (putOff.delete(address))
        return done(Object.assign(new Error('Come back later'), { responseCode: 451 }))
      done()
    },
    onData(stream, session, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        const raw = Buffer.concat(pieces).toString()
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          to: rcptTo.map(({ address }) => address),
          from: mailFrom ? mailFrom.address : '',
          messageId: /^message-id: (.+)$/im.exec(raw)?.[1]?.trim() ?? '',
          raw,
        })
        if (!rcptTo.some(({ address }) => unanswered.delete(address))) done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready))
  const address = server.server.address() as { port: number }
  let closing: Promise<void> | undefined
  const close = () => (closing ??= new Promise<void>((done) => server.close(() => done())))
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    port: address.port,
    received,
    refused,
    putOff,
    unanswered,
    close,
  }
}
