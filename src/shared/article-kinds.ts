import type { Permission } from '#shared/access.ts'

/*
 * The kinds of articles besides posts, defined once: add a kind as a row here. Endpoints, pages, menu, record types and rights follow.
 */

export interface ArticleKindRow {
  /** Singular and plural, such as `case study` and `case studies`. */
  one: string
  many: string
  /** Permission for every call: the specification has no policy for them (docs/spec-gaps.md). */
  key: Permission
  /** Permission to create one, if it differs. */
  newKey?: Permission
  /** Whether a list whose call fails becomes empty or keeps its rows (G80). */
  failedList: 'empty' | 'keep'
  /** Parts in addition to the fields of every kind. */
  parts?: readonly ArticlePart[]
}

/** When and where it takes place, or a document in PDF. */
export type ArticlePart = 'time' | 'pdf'

/** Keyed by path: `/case-study`, `/api/admin/case-study`; in the order of the menu. */
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
