import { Suspense } from 'react'
import { useQuery } from '@tanstack/react-query'
import { posts } from '#features/cms/articles/posts/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import type { LinkDialogProps, LinkTargets } from '#web/richtext/RichTextField.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const ChoosePost = lazyPart(() => import('#features/cms/articles/posts/web/ChoosePost.tsx'), 'ChoosePost')

const toPosts: LinkTargets = {
  label: 'Link to a post',
  Dialog: (props: LinkDialogProps) => (
    <Suspense>
      <ChoosePost {...props} />
    </Suspense>
  ),
}

/** Returns posts as link targets for the editor, chosen by name, if the viewer can see posts. */
export const useLinksToPosts = (): LinkTargets | undefined => (useMay(posts.getPost) ? toPosts : undefined)

/**
 * Returns the IDs of the unpublished posts, of one product or of all, if a text links to posts and the
 * viewer can see them.
 */
export function useUnpublishedPosts(html: string, product_id?: number): ReadonlySet<number> | undefined {
  const may = useMay(posts.getPost)
  const { data } = useQuery({
    ...queryOptionsFor(posts.getPost, { query: product_id === undefined ? {} : { product_id } }),
    enabled: may && html.includes('href="post:'),
  })
  return data && new Set(data.data.filter(({ published }) => published === 0).map(({ id }) => id))
}
