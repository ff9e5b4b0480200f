/** An error response, or no response at all (`status` 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** Messages by field, for a 422. */
  readonly errors: Record<string, string[]> | undefined
  /** ID of the request in the server log, for administrators. */
  readonly request_id: string | undefined
  /** The current record, for a 409. */
  readonly current: unknown
  /** The fields that two users changed, for a 409. */
  readonly clashes: unknown

  constructor(
    status: number,
    answer: {
      message: string
      errors?: Record<string, string[]>
      request_id?: string
      current?: unknown
      clashes?: unknown
    },
  ) {
    super(answer.message)
    this.status = status
    this.errors = answer.errors
    this.request_id = answer.request_id
    this.current = answer.current
    this.clashes = answer.clashes
  }
}

/** Thrown when the viewer lacks the permission; no request was sent. */
export class NotPermitted extends Error {
  override readonly name = 'NotPermitted'
}

/** Returns the message to show to the user: the server's message if there was a response. */
export function errorMessageOf(error: unknown): string {
  return error instanceof ApiError
    ? error.message
    : 'Something went wrong on this page. Reload it and try again.'
}

export const requestIdOf = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.request_id : undefined

export async function errorOf(response: Response): Promise<ApiError> {
  const answer: unknown = await response.json().catch(() => undefined)
  const said =
    typeof answer === 'object' && answer !== null
      ? (answer as {
          message?: string
          errors?: Record<string, string[]>
          request_id?: string
          current?: unknown
          clashes?: unknown
        })
      : {}
  const message =
    said.message ||
    (response.status === 429
      ? 'Too many requests. Wait a moment and try again.'
      : `The server returned an error (${response.status}). Try again.`)
  const request_id = said.request_id ?? response.headers.get('x-request-id')
  return new ApiError(response.status, { ...said, message, ...(request_id ? { request_id } : {}) })
}

export const noAnswer = (): ApiError =>
  new ApiError(0, { message: 'Can’t reach the server. Check your connection and try again.' })

/** Returns whether the server responded that the record does not exist (404). */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** Returns whether the server responded that someone else changed the record (409). */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 409
