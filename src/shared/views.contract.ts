import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { longestGroup } from '#shared/filter-groups.ts'
import { recordId, requiredText, text, wholeNumber } from '#shared/schemas.ts'

export const SavedView = z.object({
  id: z.number().int(),
  list: z.string(),
  /** Path of the list's page. */
  path: z.string(),
  name: z.string(),
  shared: z.boolean(),
  own: z.boolean(),
  /** The name of its owner. */
  who: z.string(),
  /** Whether the caller can change and delete it: their own, or a shared one for roles 0 and 1. */
  may_change: z.boolean(),
  /** Counts the changes, so that an update based on an earlier one is refused. */
  version: z.number().int(),
  /** The admin user who changed it last; null if it was never changed. */
  changed_by: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  is_default: z.boolean(),
  address: z.record(z.string(), z.unknown()),
  hidden_columns: z.array(z.string()).nullable(),
  /** The columns that it shows although they are hidden at first; null for a view that was saved before these were kept. */
  shown_columns: z.array(z.string()).nullable(),
})
export type SavedView = z.output<typeof SavedView>

const listName = requiredText(60)
const ofView = z.object({ id: recordId })
const viewName = requiredText(80)
const address = z.record(
  text(60),
  z.union([text(300), z.number(), z.array(z.union([text(longestGroup), z.number()])).max(50)]),
)
const columns = z.array(text(240)).max(100).nullable()
const viewsReply = z.object({ message: z.string(), data: z.array(SavedView) })

/**
 * Saved views: named combinations of a list's filters, sort order, and columns. They show only what the list itself
 * shows; writes require the access to the list, which the handlers check.
 */
export const views = {
  list: endpoint({
    method: 'GET',
    path: '/admin/views',
    shows: ['views'],
    summary: 'List the caller’s own and shared saved views, for one list or all lists.',
    access: 'signed-in',
    query: z.object({ list: listName.optional() }),
    response: z.object({ data: z.array(SavedView) }),
  }),
  save: endpoint({
    method: 'POST',
    path: '/admin/views',
    summary: 'Save a new view of a list, under a name that the caller has no view under yet.',
    act: 'Saved a view',
    access: 'signed-in',
    body: z.object({
      list: listName,
      path: text(200).regex(/^\/[a-z]/, 'This isn’t a page in the panel.'),
      name: viewName,
      shared: z.boolean().default(false),
      is_default: z.boolean().default(false),
      address,
      hidden_columns: columns.default(null),
      shown_columns: columns.default(null),
    }),
    response: viewsReply.extend({ id: z.number().int() }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/admin/views/{id}',
    summary:
      'Rename, share, or unshare a saved view, or change its filters, sort order, and columns. Super Admins and Admins can also change others’ shared views.',
    act: 'Updated a view',
    access: 'signed-in',
    params: ofView,
    body: z.object({
      /** The version that the caller saw. */
      version: wholeNumber(1, 2_147_483_647),
      name: viewName.optional(),
      shared: z.boolean().optional(),
      address: address.optional(),
      hidden_columns: columns.optional(),
      shown_columns: columns.optional(),
    }),
    response: viewsReply,
  }),
  setDefault: endpoint({
    method: 'POST',
    path: '/admin/views/{id}/default',
    summary: 'Open the list with this view from now on, or with none.',
    act: 'Set the default view',
    access: 'signed-in',
    params: ofView,
    body: z.object({ is_default: z.boolean() }),
    response: viewsReply,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/admin/views/{id}',
    summary:
      'Delete one of the caller’s saved views. Super Admins and Admins can also delete others’ shared views.',
    act: 'Deleted a view',
    access: 'signed-in',
    params: ofView,
    response: viewsReply,
  }),
}
