import type { FastifyRequest } from 'fastify'
import { HttpError, invalid } from '#server/http/errors.ts'
import { safeName } from '#server/inspect-file.ts'

/** An uploaded file, read into memory in full; at most 10 MB. */
export interface Upload {
  /** Name given by the sender; treated as data, never as a path. */
  name: string
  bytes: Buffer
}

export interface Form {
  fields: Record<string, unknown>
  file?: Upload
}

const limits = {
  fields: 100,
  fieldSize: 1_000_000,
  fieldNameSize: 100,
  files: 1,
  parts: 110,
  headerPairs: 50,
}

/**
 * Reads a multipart body.
 * @param file the field that can contain a file, with its maximum size; if undefined, all files are rejected.
 * @param beforeFile called with the fields that precede the first file, before any of that file is read.
 * @throws HttpError 400 if the body is malformed, 413 if something is too large, 422 for a file in an
 * unexpected field.
 */
export async function readForm(
  request: FastifyRequest,
  file: { field: string; maxBytes: number } | undefined,
  beforeFile?: (fields: Record<string, unknown>) => void,
): Promise<Form> {
  const form: Form = { fields: Object.create(null) as Record<string, unknown> }
  try {
    for await (const part of request.parts({ limits: { ...limits, fileSize: file?.maxBytes ?? 1 } })) {
      if (part.type === 'field') {
        if (part.fieldnameTruncated || part.valueTruncated) throw new HttpError(413, 'A field is too large.')
        putField(form.fields, part.fieldname, part.value)
        continue
      }
      beforeFile?.(form.fields)
      if (!file || part.fieldname !== file.field) {
        part.file.resume()
        throw invalid(part.fieldname, 'This field doesn’t accept files.')
      }
      form.file = { name: safeName(part.filename), bytes: await part.toBuffer() }
    }
  } catch (error) {
    throw formError(error)
  }
  return form
}

/** Converts the plain errors that busboy throws for a body that is cut off or has no boundary. */
export function formError(error: unknown): unknown {
  const isCut =
    error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'
  if (error instanceof Error && (isCut || !('code' in error)) && !(error instanceof HttpError))
    return new HttpError(400, 'The form is malformed.')
  return error
}

/** Adds a field to a form; `ids[]=1` and `ids=1&ids=2` become lists. */
export function putField(fields: Record<string, unknown>, name: string, value: unknown): void {
  const list = name.endsWith('[]')
  const key = list ? name.slice(0, -2) : name
  const held = fields[key]
  fields[key] =
    held === undefined ? (list ? [value] : value) : Array.isArray(held) ? [...held, value] : [held, value]
}
