import { useQueryClient } from '@tanstack/react-query'
import { askToAnnounce } from '#features/cms/articles/announcing/web/askToAnnounce.ts'
import { policies, whyNot } from '#features/cms/articles/rules.ts'
import { posts, type PostRow } from '#features/cms/articles/posts/contract.ts'
import { showPublished } from '#features/cms/articles/shared/web/PublishedState.tsx'
import { errorMessageOf } from '#web/api/errors.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { RowAction } from '#web/list/cells.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { useViewer } from '#web/session.ts'
import { toast } from '#web/message/toast.ts'

/** Replies that show a post. */
const postReplies = [posts.list, posts.unpublished, posts.byCategory, posts.byTag, posts.byUser, posts.show]

interface Props {
  post: Pick<
    PostRow,
    'id' | 'slug' | 'title' | 'product_id' | 'published' | 'announces' | 'author' | 'moderated'
  >
}

/** Returns why the viewer cannot perform an action on a post, naming who can; undefined if they can. */
export function useWhyNot(
  policy: Parameters<typeof whyNot>[0],
  { author, moderated }: Props['post'],
): string | undefined {
  return whyNot(policy, useViewer(), { author_id: author.id, moderated })
}

/** Button that publishes or unpublishes a post. */
export function PublishPost({ post }: Props) {
  const queries = useQueryClient()
  const on = post.published === 0
  const input = {
    params: { slug: String(post.id) },
    query: { action: on ? ('publish' as const) : ('unpublish' as const), product_id: post.product_id },
  }
  const { announceAct } = useUndo()
  const { send, sending } = useSend(posts.publishing, {
    onDone: ({ message, operation, data }) => {
      showPublished(queries, postReplies, data)
      announceAct(message, operation)
    },
  })
  const why = useWhyNot(policies.post.publish, post)
  const press = async () => {
    const announced = await askToAnnounce(post).catch((error: unknown) =>
      toast.failure(errorMessageOf(error)),
    )
    if (announced) await send({ ...input, query: { ...input.query, ...announced } })
  }
  if (!useMay(posts.publishing, input)) return null
  return (
    <RowAction
      whyNot={why}
      disabled={sending}
      onClick={() => void press()}
      aria-label={`${on ? 'Publish' : 'Unpublish'} ${post.title}`}
    >
      {on ? 'Publish' : 'Unpublish'}
    </RowAction>
  )
}

/** Button that moves a post to the trash. */
export function DeletePost({ post, onDone }: Props & { onDone?: () => void }) {
  const input = { params: { slug: String(post.id) }, query: { product_id: post.product_id } }
  const { announceAct } = useUndo()
  const { send, sending } = useSend(posts.remove, {
    onDone: ({ message, operation }) => {
      announceAct(message, operation)
      onDone?.()
    },
  })
  const why = useWhyNot(policies.post.remove, post)
  if (!useMay(posts.remove, input)) return null
  return (
    <RowAction
      whyNot={why}
      disabled={sending}
      onClick={() => void send(input)}
      aria-label={`Move to trash: ${post.title}`}
    >
      Move to trash
    </RowAction>
  )
}
