import { onTestFinished } from 'vitest'
import { openMailServer, type MailServer } from '#server/mail-server.testing.ts'

/**
 * Starts an SMTP server on loopback that keeps all emails it receives and is closed when the test ends. Port
 * 0 means any free port.
 */
export async function startMailServer(port = 0): Promise<MailServer> {
  const server = await openMailServer(port)
  onTestFinished(server.close)
  return server
}

/** Returns an email's HTML without its inline styles. */
export const withoutStyles = (html: string): string => html.replaceAll(/ style="[^"]*"/g, '')

/** Returns a quoted-printable email without its soft line breaks. */
export const unfolded = (raw: string): string => raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
