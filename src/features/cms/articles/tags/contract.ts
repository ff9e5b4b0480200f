import { z } from 'zod'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { inputsOf, repliesOf } from '#shared/field.ts'
import { text } from '#shared/schemas.ts'
import { pageNumber } from '#shared/page.ts'
import { ActReply, changedReply, listReply } from '#shared/record.contract.ts'
import { bySlug } from '#features/cms/articles/shared/contract.ts'
import { tagFields } from '#features/cms/articles/tags/fields.ts'

export const TagFilters = z.object({ page: pageNumber.default(1), search: text(200).default('') })

export const Tag = z.object({ ...repliesOf(tagFields), version: z.number().int() })
export type Tag = z.output<typeof Tag>

export const TagName = z.object(inputsOf(tagFields))

export const tags = {
  list: endpoint({
    method: 'GET',
    path: '/admin/tags',
    shows: ['tag'],
    summary: 'List tags by name, 20 per page.',
    access: 'signed-in',
    query: TagFilters,
    response: listReply(Tag),
  }),
  search: endpoint({
    method: 'GET',
    path: '/tags/search',
    summary: 'Search tags by name, including near matches, closest first.',
    access: 'signed-in',
    query: z.object({ q: text(60).default('') }),
    response: z.object({
      data: z.array(z.object({ id: z.number().int(), name: z.string(), slug: z.string() })),
    }),
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/tags/{slug}',
    summary: 'Get a tag by slug, old slug, or ID.',
    access: 'signed-in',
    params: bySlug,
    response: z.object({ data: Tag }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/admin/tags/{slug}',
    summary: 'Rename a tag. Its old slug keeps working.',
    act: 'Renamed',
    access: adminsOnly,
    params: bySlug,
    record: 'tag',
    body: TagName,
    response: changedReply(Tag),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/admin/tags/{slug}',
    summary: 'Move a tag to trash. Posts lose the tag until it’s restored.',
    act: 'Moved to trash',
    access: adminsOnly,
    params: bySlug,
    response: ActReply,
  }),
}
