/** Of a connection: refused, unknown host, unreachable, too late. */
const network = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
])
/** Of PostgreSQL: wrong user or password, no such database, no rights to it, too many connections, starting. */
const refusals = /^(?:28...|3D000|42501|53300|57P03)$/

/** Returns what to tell an operator about a database that can't be used, in one line; undefined for other errors. */
export function unusableDatabase(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const code = String(error.code)
  if (!network.has(code) && !refusals.test(code)) return undefined
  // A name with several addresses fails with a list of errors and no message.
  return `The database can’t be used (check DATABASE_URL): ${error.message || code}.`
}
