import type { FastifyError } from 'fastify'
import { DatabaseError } from 'pg'
import type { z } from 'zod'
import type { HtmlPage } from '#server/http/page.ts'

export type FieldErrors = Record<string, string[]>

/** An error response with a message for the user. */
export class HttpError extends Error {
  override name = 'HttpError'
  readonly status: number
  readonly errors: FieldErrors | undefined
  readonly current: unknown
  readonly clashes: unknown
  readonly retryAfter: number | undefined
  readonly page: HtmlPage | undefined

  /**
   * @param more.errors messages by field
   * @param more.current the current record, with a 409
   * @param more.clashes the fields changed by two users, with a 409
   * @param more.retryAfter seconds, with a 429 or 503
   * @param more.page what an endpoint that answers with a page shows instead of the message
   */
  constructor(
    status: number,
    message: string,
    more: {
      errors?: FieldErrors
      current?: unknown
      clashes?: unknown
      retryAfter?: number
      page?: HtmlPage
    } = {},
  ) {
    super(message)
    this.status = status
    this.errors = more.errors
    this.current = more.current
    this.clashes = more.clashes
    this.retryAfter = more.retryAfter
    this.page = more.page
  }
}

export const notSignedIn = () => new HttpError(401, 'Sign in to continue.')
export const notAllowed = (message = 'You don’t have permission to do this.') => new HttpError(403, message)
export const notFound = (message: string) => new HttpError(404, message)
export const conflict = (message: string, current?: unknown) => new HttpError(409, message, { current })
/** Returns a 422 for a single invalid field. */
export const invalid = (field: string, text: string) =>
  new HttpError(422, text, { errors: { [field]: [text] } })

/** Returns a 422 with a schema's messages by field; a message without a field is keyed by `''`. */
export function invalidInput(issues: readonly z.core.$ZodIssue[]): HttpError {
  // Created without a prototype, because a field can be named `constructor`.
  const errors: FieldErrors = Object.create(null) as FieldErrors
  for (const issue of issues) {
    const field = issue.path.join('.')
    ;(errors[field] ??= []).push(issue.message)
  }
  const [field, texts] = Object.entries(errors)[0] ?? ['', ['This value isn’t valid.']]
  return new HttpError(422, field ? `${field}: ${texts[0]}` : texts[0]!, { errors })
}

/** Converts a PostgreSQL error to an error response; undefined for an unexpected error. */
function fromDatabase(error: DatabaseError): HttpError | undefined {
  const constraint = error.constraint ?? ''
  const column =
    error.table && constraint.startsWith(`${error.table}_`)
      ? constraint.slice(error.table.length + 1).replace(/_(fkey|key|check)$/, '')
      : ''
  const code = error.code ?? ''
  switch (code) {
    case '23503':
      return invalid(column, 'Choose an existing record.')
    case '23505':
      return invalid(column, 'This value is already in use.')
    case '23502':
      return invalid(error.column ?? '', 'This field is required.')
    case '23514':
      return invalid(column, column ? 'This value is not allowed.' : error.message)
    case '22003':
    case '22007':
    case '22008':
    case '22021':
    case '22P02':
    case '22P05':
      return new HttpError(422, 'One of the values can’t be saved.')
    case '40001':
    case '40P01':
    case '55P03':
      return new HttpError(503, 'Someone else is changing this right now. Try again.', { retryAfter: 1 })
    case '53100':
      return new HttpError(507, 'The database is out of disk space. Ask an administrator to free up space.')
    case '2200H':
      return new HttpError(507, 'No more records of this kind can be stored. Ask an administrator for help.')
    case '57014':
      return new HttpError(503, 'This took too long and was canceled. Try again.', { retryAfter: 1 })
    case '57P01':
    case '57P02':
    case '57P03':
    case '53300':
      return databaseGone()
    default:
      return code.startsWith('08') ? databaseGone() : undefined
  }
}

const databaseGone = () => new HttpError(503, 'The database isn’t responding. Try again.', { retryAfter: 1 })

const lostConnection =
  /Connection terminated|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT.*\.s\.PGSQL|timeout exceeded when trying to connect|Client has encountered a connection error/

const bodyErrors: Record<string, [number, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'The request is too large.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'This content type isn’t supported.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'The content length is incorrect.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'The request body is empty.'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'The request body isn’t valid JSON.'],
  FST_ERR_BAD_URL: [400, 'The URL is malformed.'],
  FST_ERR_MAX_PARAM_LENGTH: [404, 'Not found.'],
  FST_REQ_FILE_TOO_LARGE: [413, 'This file is too large.'],
  FST_FILES_LIMIT: [413, 'Too many files.'],
  FST_FIELDS_LIMIT: [413, 'Too many fields.'],
  FST_PARTS_LIMIT: [413, 'Too many parts.'],
  FST_PROTO_VIOLATION: [400, 'A field name is not allowed.'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: [415, 'This content type isn’t supported.'],
}

/**
 * Converts any error to an error response; undefined for an unexpected error, which becomes a 500 without
 * internal details.
 */
export function asHttpError(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error
  if (error instanceof DatabaseError) return fromDatabase(error)
  if (!(error instanceof Error)) return undefined
  const known = bodyErrors[(error as FastifyError).code ?? '']
  if (known) return new HttpError(...known)
  if (lostConnection.test(error.message) || lostConnection.test((error as FastifyError).code ?? ''))
    return databaseGone()
  const status = (error as FastifyError).statusCode
  if (status !== undefined && status >= 400 && status < 500)
    return new HttpError(status, status === 400 ? 'The request is malformed.' : error.message)
  return undefined
}
