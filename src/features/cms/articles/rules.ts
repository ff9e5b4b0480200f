import { isAdminRole, type RoleId } from '#shared/access.ts'
import { articleKindNames } from '#shared/article-kinds.ts'

/*
 * Rules for all kinds of articles, shared by the server and the browser: permissions, slugs, and publishing.
 */

/** A relation to a record that a policy requires in addition to the permission (B §6). */
type Relation = 'admin' | 'author' | 'owner' | 'moderator'

/** The policies of B §6, by record type and action. */
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

/** The properties of a record that determine a viewer's relation to it. */
export interface Relations {
  author_id?: number | null
  owner_id?: number | null
  /** Whether the viewer is a moderator of the record's category. */
  moderated?: boolean
}

interface Who {
  id: number
  role_id: RoleId
}

const words: Record<Relation, string> = {
  admin: 'an admin',
  author: 'the author',
  owner: 'the owner',
  moderator: 'a category moderator',
}
const list = new Intl.ListFormat('en-US', { type: 'disjunction' })

/**
 * Returns why a viewer cannot perform an action, naming who can; undefined if they can. Role 0 passes every
 * check that an admin passes (docs/spec-gaps.md G11).
 */
export function whyNot(
  policy: readonly Relation[],
  who: Who | undefined,
  to: Relations = {},
): string | undefined {
  const is: Record<Relation, boolean> = {
    admin: who !== undefined && isAdminRole(who.role_id),
    author: who !== undefined && to.author_id === who.id,
    owner: who !== undefined && to.owner_id === who.id,
    moderator: to.moderated === true,
  }
  if (policy.some((relation) => is[relation])) return undefined
  return `Only ${list.format(policy.map((relation) => words[relation]))} can do this.`
}

export const longestSlug = 150

/** Literals in the same path position as slugs, in a page or an endpoint (docs/spec-gaps.md G46). */
export const reservedSlugs: Readonly<Record<string, readonly string[]>> = {
  post: ['unpublished', 'new-post', 'update-post'],
  faq: ['unpublished', 'new-faq', 'update-faq'],
  ...Object.fromEntries(
    articleKindNames.map((kind) => [kind, ['create', 'edit', 'update', 'delete', 'publish']]),
  ),
}

/** Derives a slug from a string: letters and digits of any script, in lowercase, separated by dashes. */
export const slugFrom = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, longestSlug)
    .replaceAll(/^-+|-+$/g, '')

/** Returns why a slug is invalid; undefined if it is valid. */
export function whyNotSlug(slug: string, reserved: readonly string[] = []): string | undefined {
  if (slug !== slugFrom(slug) || slug === '') return 'Use only lowercase letters, digits, and hyphens.'
  if (/^\d+$/.test(slug)) return 'Use at least one character that isn’t a digit.'
  return reserved.includes(slug) ? `The slug ${slug} is reserved. Choose another one.` : undefined
}

/** Maximum lengths that search engines show in full. */
export const metaLengths = { meta_title: 60, meta_description: 160 } as const

interface Meta {
  title: string
  description: string
}

/**
 * Returns warnings for meta texts that are missing, too long, or duplicated. `others` has the titles of the
 * records with the same texts.
 */
export const metaWarnings = (
  { title, description }: Meta,
  others?: Record<keyof Meta, readonly string[]>,
): string[] =>
  [
    lengthWarning('title', title, metaLengths.meta_title),
    lengthWarning('description', description, metaLengths.meta_description),
    title !== '' && title === description ? 'The meta title and meta description are the same.' : undefined,
    doubleWarning('title', others?.title),
    doubleWarning('description', others?.description),
  ].filter((words) => words !== undefined)

const lengthWarning = (name: string, text: string, most: number) =>
  text === ''
    ? `Add a meta ${name}.`
    : text.length > most
      ? `The meta ${name} has ${text.length} characters. Search engines show only the first ${most}.`
      : undefined

const doubleWarning = (name: string, others: readonly string[] = []) =>
  others.length === 0
    ? undefined
    : `The meta ${name} is also used by ${others.map((title) => `“${title}”`).join(', ')}.`
