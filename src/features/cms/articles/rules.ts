import { isAdminRole, type RoleId } from '#shared/access.ts'
import { articleKindNames } from '#shared/article-kinds.ts'
import { allows, permissionNames, type Access, type DecidedAccess } from '#shared/endpoint.ts'

/*
 * What all kinds of articles share and both sides know: who may do what, addresses, publishing.
 */

/** Those who may do something with a record, beside the permission (B §6). */
type Relation = 'admin' | 'author' | 'owner' | 'moderator'

/** The policies of B §6, by what is done to what. */
export const policies = {
  post: {
    update: ['author'],
    remove: ['admin', 'author', 'moderator'],
    publish: ['admin', 'moderator'],
    assignTags: ['admin', 'author', 'moderator'],
    handOver: ['admin'],
  },
  faq: {
    update: ['author'],
    remove: ['admin', 'author', 'moderator'],
    publish: ['admin', 'moderator'],
    move: ['admin', 'author', 'moderator'],
    handOver: ['admin'],
  },
  comment: { remove: ['owner', 'admin', 'author', 'moderator'] },
  category: { create: ['admin'], remove: ['admin'], update: ['admin', 'moderator'] },
  tag: { update: ['admin'], remove: ['admin'] },
} as const satisfies Record<string, Record<string, readonly Relation[]>>

/** Who somebody is to a record. */
export interface Relations {
  author_id?: number | null
  owner_id?: number | null
  /** Whether they moderate its category. */
  moderated?: boolean
}

interface Who {
  id: number
  role_id: RoleId
}

const words: Record<Relation, string> = { admin: 'an admin', author: 'its author', owner: 'its owner', moderator: 'a moderator of its category' }

/** Why somebody may not do this, in words that say who may; undefined where they may. Role 0 passes wherever an admin does (docs/spec-gaps.md G11). */
export function whyNot(policy: readonly Relation[], who: Who | undefined, to: Relations = {}): string | undefined {
  const is: Record<Relation, boolean> = {
    admin: who !== undefined && isAdminRole(who.role_id),
    author: who !== undefined && to.author_id === who.id,
    owner: who !== undefined && to.owner_id === who.id,
    moderator: to.moderated === true,
  }
  if (policy.some((relation) => is[relation])) return undefined
  const names = policy.map((relation) => words[relation])
  return `Only ${names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names.at(-1)}` : names[0]} may do this.`
}

/** A permission that roles 0 and 1 alone can use here. */
export const adminsWith = (access: Access): DecidedAccess => ({
  says: `${permissionNames(access).join(' | ')}, of roles 0 and 1`,
  permissions: permissionNames(access),
  allows: (viewer, input) => isAdminRole(viewer.role_id) && allows(access, viewer, input),
})

export const longestSlug = 150

/** The literals that stand beside a slug in the path of a page or a call (docs/spec-gaps.md G46). */
export const reservedSlugs: Readonly<Record<string, readonly string[]>> = {
  post: ['unpublished', 'new-post', 'update-post'],
  faq: ['unpublished', 'new-faq', 'update-faq'],
  ...Object.fromEntries(articleKindNames.map((kind) => [kind, ['create', 'edit', 'update', 'delete', 'publish']])),
}

/** A text as an address: letters and digits of any script, small, with dashes. */
export const slugFrom = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, longestSlug)
    .replaceAll(/^-+|-+$/g, '')

/** Why an address cannot be used; undefined where it can. */
export function whyNotSlug(slug: string, reserved: readonly string[] = []): string | undefined {
  if (slug !== slugFrom(slug) || slug === '') return 'An address has small letters, digits and dashes.'
  if (/^\d+$/.test(slug)) return 'An address needs a character that is no digit.'
  return reserved.includes(slug) ? `The address ${slug} is a page of the panel.` : undefined
}

/** Lengths that a search engine shows whole. */
export const metaLengths = { meta_title: 60, meta_description: 160 } as const

interface Meta {
  title: string
  description: string
}

/** What is missing, too long or double in what a search engine is told. `others`: the titles of those that say the same. */
export const metaWarnings = ({ title, description }: Meta, others?: Record<keyof Meta, readonly string[]>): string[] =>
  [
    lengthWarning('title', title, metaLengths.meta_title),
    lengthWarning('description', description, metaLengths.meta_description),
    title !== '' && title === description ? 'Title and description are the same.' : undefined,
    doubleWarning('title', others?.title),
    doubleWarning('description', others?.description),
  ].filter((words) => words !== undefined)

const lengthWarning = (name: string, text: string, most: number) =>
  text === '' ? `There is no meta ${name}.` : text.length > most ? `The meta ${name} has ${text.length} characters; ${most} are shown.` : undefined

const doubleWarning = (name: string, others: readonly string[] = []) =>
  others.length === 0 ? undefined : `The meta ${name} is also that of ${others.map((title) => `“${title}”`).join(', ')}.`
