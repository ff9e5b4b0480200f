import { sql } from 'kysely'
import type { ArticleKindName } from '#shared/article-kinds.ts'
import type { Viewer } from '#shared/endpoint.ts'
import {
  cancelAnnouncement,
  canceledText,
} from '#features/cms/articles/announcing/server/announcing.queries.ts'
import { whyNot, type Relations } from '#features/cms/articles/rules.ts'
import { notAllowed } from '#server/http/errors.ts'
import type { RecordKind, Row } from '#server/record/rows.ts'

/** The kinds of articles; each is a separate record type. */
export type ArticleKind = 'post' | ArticleKindName

type Policy = Parameters<typeof whyNot>[0]

/**
 * A record type whose records have an author, can be published, and can be handed over to another author:
 * articles and FAQs. Without a policy, only the permission is checked.
 */
export interface PublishedKind extends RecordKind {
  policy?: Readonly<Record<'update' | 'remove' | 'publish' | 'handOver', Policy>>
}

/** Builds the SQL for the IDs of a category's moderators. */
export const moderatorsOf = (category: string): string =>
  `array(select m.staff_id from category_moderators m where m.category_id = ${category})`

/** Returns the viewer's relations to a stored article. */
export const relationsOf = (row: Row, viewer: Viewer): Relations => ({
  author_id: row['author_id'] as number,
  moderated: (row['moderators'] as number[]).includes(viewer.id),
})

/** @throws HttpError 403, with a message that says who can perform the action. */
export function demandPolicy(policy: Policy | undefined, viewer: Viewer, to: Relations): void {
  const why = policy && whyNot(policy, viewer, to)
  if (why !== undefined) throw notAllowed(why)
}

/** The file field of articles of all kinds. */
export const imageField = { image_ids: { role: 'image', most: 1 } }

/** Builds a kind's descriptor. Its `authorize` checks edits; for other actions, use `withPolicy`. */
export const articleKind = (
  kind: ArticleKind,
  more: Partial<PublishedKind> & Pick<PublishedKind, 'columns'>,
): PublishedKind => ({
  type: kind,
  table: 'articles',
  name: 'r.title',
  files: imageField,
  richText: ['body'],
  visibility: {
    products: { of: 'array[r.product_id]' },
    scope: ({ products }) => sql`r.kind = ${kind} and r.product_id = any(${products}::int[])`,
  },
  extraColumns: { moderators: moderatorsOf('r.category'), product_id: 'r.product_id' },
  ...demandOf(more.policy),
  history: { unaudited: ['first_published_at'] },
  undo: {
    after: async (writing, id, { to }) => {
      if (to['published'] !== 0 && !to['deleted_at']) return
      const what = canceledText(await cancelAnnouncement(writing, id))
      // Only the first publication sends an email.
      if (what !== undefined && to['first_published_at'] === null) writing.say?.(what)
    },
  },
  trash: {
    onTrash: async (writing, ids) => {
      for (const id of ids) await cancelAnnouncement(writing, id)
    },
  },
  ...more,
})

/** Builds a descriptor's `authorize` from a policy. */
export const demandOf = (policy: PublishedKind['policy']): Pick<RecordKind, 'authorize'> =>
  policy
    ? {
        authorize: (act, row, viewer, patch) => {
          const asked =
            act === 'remove' ? [policy.remove] : patch ? policiesOf(policy, patch) : [policy.update]
          for (const one of asked) demandPolicy(one, viewer, relationsOf(row, viewer))
        },
      }
    : {}

type ArticlePolicies = NonNullable<PublishedKind['policy']> & { assignTags?: Policy; move?: Policy }
/** Columns that are changed by separate actions; all other columns are changed by edits. */
const actionOfColumn: Readonly<Record<string, keyof ArticlePolicies>> = {
  published: 'publish',
  published_at: 'publish',
  first_published_at: 'publish',
  author_id: 'handOver',
  tags: 'assignTags',
  category: 'move',
  category_id: 'move',
  order_number: 'move',
}

/** Returns the policies for the actions that set these fields. */
function policiesOf(policy: ArticlePolicies, patch: Row): Policy[] {
  // Authors can move their articles by editing them; admins can reassign articles when they move a category
  // to the trash.
  const all = { ...policy, move: policy.move ?? ['admin', ...policy.update] }
  const actions = new Set(Object.keys(patch).map((column) => actionOfColumn[column] ?? 'update'))
  return [...actions].map((action) => all[action] ?? policy.update)
}

/** Returns the descriptor with another action's policy. */
export const withPolicy = <Kind extends RecordKind>(kind: Kind, policy: Policy | undefined): Kind => ({
  ...kind,
  authorize: (_act: unknown, row: Row, viewer: Viewer) =>
    demandPolicy(policy, viewer, relationsOf(row, viewer)),
})
