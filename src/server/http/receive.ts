import { rm } from 'node:fs/promises'
import type { FastifyRequest } from 'fastify'
import type { EndpointShape, FileRule } from '#shared/endpoint.ts'
import { mostFiles } from '#shared/files.ts'
import type { Files } from '#server/files/files.ts'
import { HttpError, invalid, type FieldErrors } from '#server/http/errors.ts'
import {
  acceptedExtension,
  BadFile,
  inspectAnyFile,
  inspectFile,
  safeName,
  type ReceivedFile,
  type UncheckedFile,
} from '#server/files/inspect-file.ts'

/** The files of an endpoint's field: not inspected if the field is `unchecked`. */
export type FilesOf<Rule> = Rule extends { unchecked: true } ? UncheckedFile[] : ReceivedFile[]

/** A request's fields, and its files by field, under temporary names until a handler keeps them. */
export interface ReceivedForm {
  fields: Record<string, unknown>
  files: Record<string, UncheckedFile[]>
  /** Reasons why files were rejected, keyed by field, such as `attachment.2`. */
  refused: FieldErrors
  /** Removes the files that no handler has kept. */
  discard: () => Promise<void>
}

const limits = { fieldNameSize: 100, headerPairs: 50 }
/** Limits for the fields of forms without files, and of forms with files, which can contain rich text. */
const [plainFields, formFields] = [
  { fields: 100, fieldSize: 1_000_000 },
  { fields: 200, fieldSize: 6_000_000 },
]

/**
 * Reads a multipart body, streaming its files to disk one after another.
 * @param beforeFile called with the fields that precede the first file, before any of that file is read.
 * @throws HttpError 400 if the body is malformed or cut off, 413 if a field is too large or there are too
 * many parts, 422 for a file in a field without a rule, 507 if the disk is full.
 */
export async function receiveForm(
  store: Files,
  request: FastifyRequest,
  rules: Readonly<Record<string, FileRule>>,
  beforeFile?: (fields: Record<string, unknown>) => void,
): Promise<ReceivedForm> {
  const fields = Object.create(null) as Record<string, unknown>
  const files: Record<string, UncheckedFile[]> = Object.fromEntries(
    Object.keys(rules).map((field) => [field, []]),
  )
  const refused = Object.create(null) as FieldErrors
  const seen = new Map<string, number>()
  const temporary: string[] = []
  const discard = async () => {
    for (const path of temporary) await rm(path, { force: true })
  }

  const most = Object.values(rules).reduce((sum, rule) => sum + rule.most, 0)
  // Slightly above the limits, so that an extra file is reported on its own field.
  const counts = { files: most + mostFiles, parts: formFields.fields + most + mostFiles }
  const fileSize = Math.max(0, ...Object.values(rules).map(({ maxBytes }) => maxBytes))
  const ofFields = most > 0 ? formFields : plainFields
  try {
    for await (const part of request.parts({
      limits: { ...limits, ...ofFields, ...counts, fileSize: fileSize + 1 },
      ...{ throwFileSizeLimit: false },
    })) {
      const field = part.fieldname.replace(/\[\d*\]$/, '')
      if (part.type === 'field') {
        if (part.fieldnameTruncated || part.valueTruncated) throw new HttpError(413, 'A field is too large.')
        // For a file field without a file, forms send an empty string.
        if (!(Object.hasOwn(rules, field) && part.value === '')) putField(fields, part.fieldname, part.value)
        continue
      }
      beforeFile?.(fields)
      const rule = Object.hasOwn(rules, field) ? rules[field]! : undefined
      if (!rule) {
        part.file.resume()
        throw invalid(field, 'This field doesn’t accept files.')
      }
      const index = seen.get(field) ?? 0
      seen.set(field, index + 1)
      const say = (text: string, at = `${field}.${index}`) => (refused[at] ??= []).push(text)
      const name = safeName(part.filename)
      if (index >= rule.most) {
        part.file.resume()
        if (rule.anyType) say(`${name} wasn’t saved: only the first ${rule.most} files are.`)
        else if (index === rule.most)
          say(rule.most === 1 ? 'You can add only one file.' : `You can add up to ${rule.most} files.`, field)
        continue
      }
      try {
        const ending = rule.unchecked || rule.anyType ? undefined : acceptedExtension(name, rule.kinds)
        const received = await store.receive(part.file as AsyncIterable<Buffer>)
        temporary.push(received.path)
        if (received.bytes > rule.maxBytes)
          throw new BadFile(`${name} is larger than ${rule.maxBytes / 1_000_000} MB.`)
        if (received.bytes === 0) throw new BadFile(`${name} is empty.`)
        if (rule.unchecked) {
          files[field]!.push({ ...received, name })
          continue
        }
        const file = await (ending === undefined
          ? inspectAnyFile(store, received, name)
          : inspectFile(store, received, name, ending))
        temporary.push(file.path, ...[file.small, file.wide, file.original].filter((one) => one !== null))
        files[field]!.push(file)
      } catch (error) {
        part.file.resume()
        if (!(error instanceof BadFile)) throw error
        say(error.message)
      }
    }
    Object.assign(refused, missingFileErrors(rules, seen))
  } catch (error) {
    await discard()
    throw formError(error)
  }
  return { fields, files, refused, discard }
}

/** Returns errors for the required file fields that have no file. */
export const missingFileErrors = (
  rules: EndpointShape['files'],
  seen: ReadonlyMap<string, number> = new Map(),
): FieldErrors =>
  Object.fromEntries(
    Object.entries(rules ?? {}).flatMap(([field, { required }]) =>
      required && !seen.has(field) ? [[field, ['Choose a file.']]] : [],
    ),
  )

/** @throws HttpError 422 with a message for each rejected file. */
export function throwIfRefused(refused: FieldErrors): void {
  const first = Object.values(refused)[0]?.[0]
  if (first !== undefined) throw new HttpError(422, first, { errors: refused })
}

/**
 * Returns the values that identify a request's files, because a different file with the same idempotency key
 * makes it a different request.
 */
export const fingerprintOf = (files: Record<string, UncheckedFile[]>): unknown =>
  Object.entries(files).map(([field, ones]) => [
    field,
    ones.map(({ name, sha256 }) => [name, sha256.toString('hex')]),
  ])

/** Converts the plain errors that busboy throws for a body that is cut off or has no boundary. */
function formError(error: unknown): unknown {
  const isCut =
    error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'
  if (error instanceof Error && (isCut || !('code' in error)) && !(error instanceof HttpError))
    return new HttpError(400, 'The form is malformed.')
  return error
}

/** Adds a field to a form; `ids[]=1` and `ids=1&ids=2` become lists. */
function putField(fields: Record<string, unknown>, name: string, value: unknown): void {
  const list = name.endsWith('[]')
  const key = list ? name.slice(0, -2) : name
  const held = fields[key]
  fields[key] =
    held === undefined ? (list ? [value] : value) : Array.isArray(held) ? [...held, value] : [held, value]
}
