import type { ArticleKindName } from '#shared/article-kinds.ts'

export const addressIn = (kind: ArticleKindName, slug: string) => `/${kind}/${encodeURIComponent(slug)}`
