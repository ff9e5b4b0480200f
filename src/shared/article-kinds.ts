import type { Permission } from '#shared/access.ts'

/*
 * The kinds of articles beside posts, said once: a further one is a row here. Calls, pages, menu, record types and rights follow.
 */

export interface ArticleKindRow {
  /** As people call one and several: `case study`, `case studies`. */
  one: string
  many: string
  /** Decides every call: the specification has no policy for them (docs/spec-gaps.md). */
  key: Permission
  /** Decides who creates one, where it is another. */
  newKey?: Permission
  /** What a list shows whose call fails: nothing, or what it showed before (G80). */
  failedList: 'empty' | 'keep'
  /** What it has beside the fields of every kind. */
  parts?: readonly ArticlePart[]
}

/** When and where it takes place; a document in PDF. */
export type ArticlePart = 'time' | 'pdf'

/** By their paths: `/case-study`, `/api/admin/case-study`; in the order of the menu. */
export const articleKinds = {
  'case-study': { one: 'case study', many: 'case studies', key: 'case_study', newKey: 'new_case_study', failedList: 'keep' },
  event: { one: 'event', many: 'events', key: 'event', failedList: 'empty', parts: ['time'] },
  brochure: { one: 'brochure', many: 'brochures', key: 'brochure', failedList: 'empty', parts: ['pdf'] },
  webinar: { one: 'webinar', many: 'webinars', key: 'webinar', failedList: 'empty', parts: ['time'] },
  'user-guide': { one: 'user guide', many: 'user guides', key: 'user_guide', failedList: 'keep' },
} as const satisfies Record<string, ArticleKindRow>

export type ArticleKindName = keyof typeof articleKinds
export const articleKindNames = Object.keys(articleKinds) as ArticleKindName[]
export const articleKindRow = (name: ArticleKindName): ArticleKindRow => articleKinds[name]

export const hasPart = (name: ArticleKindName, part: ArticlePart): boolean => articleKindRow(name).parts?.includes(part) ?? false
