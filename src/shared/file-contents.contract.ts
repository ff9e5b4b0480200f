import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { recordId } from '#shared/schemas.ts'

/* The contents of a ZIP archive or a saved email (.eml), listed without unpacking it. */

/** Number of files that are listed, those of nested archives and emails included. */
export const mostListed = 500

const entry = z.object({
  name: z.string(),
  /** Folders, with slashes between them; empty at the top. */
  folder: z.string(),
  /** Size as the archive states it; null if it states none that is possible. */
  bytes: z.int().nullable(),
  /** The problem of the file; empty if there is none. */
  problem: z.string(),
})

const contentsOf = <Entry extends z.ZodType>(entries: Entry) =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('zip'),
      entries: z.array(entries),
      /** Number of files in the archive, of which `entries` are the first. */
      total: z.int(),
      problem: z.string(),
    }),
    z.object({
      type: z.literal('eml'),
      from: z.string(),
      to: z.array(z.string()),
      subject: z.string(),
      date: z.string().nullable(),
      /** The first lines. */
      text: z.string(),
      entries: z.array(entries),
      total: z.int(),
      problem: z.string(),
    }),
    z.object({ type: z.literal('unreadable'), problem: z.string() }),
  ])

const nested = contentsOf(entry)
const entryWithContents = entry.extend({
  /** Of an archive or email in this one. Those in it are not read. */
  contents: nested.optional(),
})
export type ListedFile = z.output<typeof entryWithContents>

export const fileContents = contentsOf(entryWithContents)
export type FileContents = z.output<typeof fileContents>

export const contentsOfFiles = {
  list: endpoint({
    method: 'GET',
    path: '/files/{id}/contents',
    summary: `List what is in a ZIP archive or a saved email (.eml), up to ${mostListed} files and two levels, for callers who can download it.`,
    access: 'signed-in',
    params: z.object({ id: recordId }),
    response: z.object({ data: fileContents }),
  }),
}
