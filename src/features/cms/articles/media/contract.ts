import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { instant, recordId, text, wholeNumber } from '#shared/schemas.ts'
import { fileRef, largestFile, mostFiles } from '#shared/files.ts'
import { pageNumber } from '#shared/page.ts'
import { listReply, recordIds } from '#shared/record.contract.ts'

export const mediaPerPage = 20

/**
 * `skipRecord`: offset from the newest image, used instead of pages; `show`: only images that are unused or
 * have no alt text.
 */
export const MediaFilters = z.object({
  page: pageNumber.default(1),
  limit: wholeNumber(1, 100).default(mediaPerPage),
  skipRecord: wholeNumber(0, 1_000_000_000).optional(),
  product_id: recordId.optional(),
  search: text(200).default(''),
  show: z.enum(['unused', 'without-alt']).optional(),
})
export type MediaFilters = z.output<typeof MediaFilters>

/** `address`: path of the record's page in the panel; empty if it has none. */
const Place = z.object({
  type: z.string(),
  id: z.number().int(),
  role: z.string(),
  name: z.string(),
  address: z.string(),
})

export const Medium = z.object({
  id: z.number().int(),
  product_id: z.number().int(),
  alt: z.string(),
  decorative: z.boolean(),
  created_at: instant,
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  /** The stored file; rich text refers to the file by its ID. */
  file: fileRef,
  /** Records that use the image. */
  places: z.array(Place),
})
export type Medium = z.output<typeof Medium>

export const Description = z.object({ alt: text(500), decorative: z.boolean().default(false) })

export const media = {
  list: endpoint({
    method: 'GET',
    path: '/admin/media',
    shows: ['media'],
    summary:
      'List images, newest first, `limit` per page or after skipping `skipRecord` images, with the number of all, of unused ones, and of those without alt text.',
    access: 'media_list',
    product: ['query.product_id'],
    query: MediaFilters,
    response: listReply(Medium).extend({
      counts: z.object({ all: z.number().int(), unused: z.number().int(), 'without-alt': z.number().int() }),
    }),
  }),
  upload: endpoint({
    method: 'POST',
    path: '/admin/media/upload-media/{x}',
    summary:
      'Upload images for a product. `x` is the product ID (docs/spec-gaps.md G123). Returns an existing image instead of storing a duplicate.',
    act: 'Uploaded',
    access: 'media_list',
    product: ['params.x'],
    params: z.object({ x: recordId }),
    files: { attachment: { most: mostFiles, maxBytes: largestFile, required: true, kinds: ['image'] } },
    keepGoodFiles: true,
    response: z.object({
      message: z.string(),
      /** `index`: position among the uploaded files. */
      images: z.array(Medium.extend({ index: z.number().int(), was_there: z.boolean() })),
      /** Why the other files were rejected, keyed by `attachment.INDEX`. */
      errors: z.record(z.string(), z.array(z.string())),
    }),
  }),
  remove: endpoint({
    method: 'POST',
    path: '/admin/media/delete',
    summary: 'Delete unused images. Returns 409 with the places where an image is used.',
    act: 'Deleted',
    access: 'media_list',
    body: z.object({ ids: recordIds }),
    response: z.object({ message: z.string() }),
  }),
  describe: endpoint({
    method: 'POST',
    path: '/admin/media/{id}/alt',
    summary: 'Set an image’s alt text or mark it as decorative.',
    act: 'Edited alt text',
    access: 'media_list',
    params: z.object({ id: recordId }),
    body: Description,
    response: z.object({ message: z.string() }),
  }),
}
