import type { PostRow } from '#features/cms/articles/posts/contract.ts'
import { PageLink } from '#web/parts/PageLink.tsx'

/** An author's name, linked to their posts. */
export const AuthorLink = ({ author: { slug, name } }: Pick<PostRow, 'author'>) => (
  <PageLink to={`/users/${encodeURIComponent(slug)}/posts`}>{name}</PageLink>
)
