import { appendFileSync } from 'node:fs'
import pg from 'pg'
import { Connection } from '#server/db/connection.ts'

/*
 * Loaded before the panel: writes each statement that it sends to the file of CAPTURE, so that the floor can send the same.
 * Without CAPTURE, nothing is written and nothing changes.
 */

const file = process.env['CAPTURE']
if (file) {
  const send = Connection.prototype.query as (...words: unknown[]) => unknown
  const together = Connection.prototype.sendPipelined
  const write = (text: unknown, values: unknown) => {
    if (typeof text === 'string' && Array.isArray(values))
      appendFileSync(file, `${JSON.stringify({ text, values })}\n`)
  }
  Connection.prototype.query = function (this: pg.Client, ...words: unknown[]) {
    write(words[0], words[1])
    return send.apply(this, words)
  } as typeof Connection.prototype.query
  Connection.prototype.sendPipelined = function (statements) {
    for (const [text, values] of statements) write(text, values)
    return together.call(this, statements)
  }
}
