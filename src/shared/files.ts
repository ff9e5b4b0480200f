import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { inputKinds, recordId } from '#shared/schemas.ts'
import { fileKinds } from '#shared/file-kinds.ts'

/* Stored files in API requests and responses, and the platform's own endpoints for them. */

/** Maximum file size in bytes, and the maximum number of files per request (B §9). */
export const largestFile = 10_000_000
export const mostFiles = 10

/**
 * A file as shown on pages. The URLs are signed for this file and this session and are valid for up to five
 * minutes.
 */
export const fileRef = z.object({
  id: z.int(),
  name: z.string(),
  kind: z.enum(fileKinds),
  bytes: z.int(),
  url: z.string(),
  small_url: z.string().nullable(),
  download_url: z.string(),
})
export type FileRef = z.output<typeof fileRef>

/**
 * Returns the URL of an image's wide version, which is shown in rich text; an image without a wide version is
 * sent in its original form.
 */
export const wideUrl = (url: string): string => `${url}&wide=1`

/** A file attached to a record. */
export const recordFile = fileRef.extend({ role: z.string(), label: z.string() })
export type RecordFile = z.output<typeof recordFile>

/** IDs of staged files (`POST /api/files/stage`), for use in a request body. */
export const fileIds = z
  .array(recordId)
  .max(mostFiles, `You can add up to ${mostFiles} files.`)
  .register(inputKinds, { kind: 'files' })

/** Declaration of the complete list of a record's files. */
export const filesField = {
  label: 'Files',
  column: false,
  input: fileIds,
  empty: [] as number[],
  formValue: ({ files: own }: { files?: { id: number }[] }) => own?.map(({ id }) => id),
} as const

export const files = {
  stage: endpoint({
    method: 'POST',
    path: '/files/stage',
    summary:
      'Upload a file for a form that hasn’t been saved yet. Files that no saved form uses within a day are deleted.',
    act: 'Uploaded a file',
    access: 'signed-in',
    files: { file: { most: 1, maxBytes: largestFile, required: true } },
    response: z.object({ data: fileRef }),
  }),
  refs: endpoint({
    method: 'GET',
    path: '/files/refs',
    summary: 'Get fresh URLs for the files the caller can view. Other files are omitted.',
    access: 'signed-in',
    query: z.object({ ids: z.array(recordId).min(1).max(100) }),
    response: z.object({ data: z.array(fileRef) }),
  }),
  show: endpoint({
    method: 'GET',
    path: '/files/{id}',
    summary: 'Get a stored file by signed URL. Access to its record is checked each time.',
    access: 'public',
    params: z.object({ id: recordId }),
    query: z.object({
      session: z.string().max(20).optional(),
      expires: z.string().max(20).optional(),
      signature: z.string().max(100).optional(),
      small: z.literal('1').optional(),
      /** Requests the wide version shown in rich text, if the image has one. */
      wide: z.literal('1').optional(),
      download: z.literal('1').optional(),
    }),
  }),
}
