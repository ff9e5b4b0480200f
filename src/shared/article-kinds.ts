import type { Permission } from '#shared/access.ts'

/*
 * The kinds of articles besides posts, defined once: to add a kind, add a row here. Endpoints, pages, menu
 * entries, record types, and permissions are derived from it.
 */

export interface ArticleKindRow {
  /** Singular and plural, such as `case study` and `case studies`. */
  one: string
  many: string
  /**
   * Permission required by every endpoint of the kind: the specification has no policy for them
   * (docs/spec-gaps.md).
   */
  key: Permission
  /** Permission to create an article, if it differs. */
  newKey?: Permission
  /** Whether a list whose request fails becomes empty or keeps its rows (G80). */
  failedList: 'empty' | 'keep'
  /** Fields in addition to those that every kind has. */
  parts?: readonly ArticlePart[]
}

/** The time and place of an event, or a PDF document. */
export type ArticlePart = 'time' | 'pdf'

/** Keyed by path, as in `/case-study` and `/api/admin/case-study`; in menu order. */
export const articleKinds = {
  'case-study': {
    one: 'case study',
    many: 'case studies',
    key: 'case_study',
    newKey: 'new_case_study',
    failedList: 'keep',
  },
  event: { one: 'event', many: 'events', key: 'event', failedList: 'empty', parts: ['time'] },
  brochure: { one: 'brochure', many: 'brochures', key: 'brochure', failedList: 'empty', parts: ['pdf'] },
  webinar: { one: 'webinar', many: 'webinars', key: 'webinar', failedList: 'empty', parts: ['time'] },
  'user-guide': { one: 'user guide', many: 'user guides', key: 'user_guide', failedList: 'keep' },
} as const satisfies Record<string, ArticleKindRow>

export type ArticleKindName = keyof typeof articleKinds
export const articleKindNames = Object.keys(articleKinds) as ArticleKindName[]
export const articleKindRow = (name: ArticleKindName): ArticleKindRow => articleKinds[name]

export const hasPart = (name: ArticleKindName, part: ArticlePart): boolean =>
  articleKindRow(name).parts?.includes(part) ?? false
