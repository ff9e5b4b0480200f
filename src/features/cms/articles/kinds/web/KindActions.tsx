import { useQueryClient } from '@tanstack/react-query'
import type { ArticleKindName } from '#shared/article-kinds.ts'
import { askToAnnounce } from '#features/cms/articles/announcing/web/askToAnnounce.ts'
import { callsOf, type KindRow } from '#features/cms/articles/kinds/contract.ts'
import { logFailure } from '#features/cms/articles/kinds/web/logFailure.ts'
import { showPublished } from '#features/cms/articles/shared/web/PublishedState.tsx'
import { useMay, useSend } from '#web/api/useSend.ts'
import { RowAction } from '#web/list/cells.tsx'
import { useUndo } from '#web/record/useUndo.ts'

/** Returns the endpoints that return articles of the given kind. */
export const listsOf = (kind: ArticleKindName) => [callsOf(kind).list, callsOf(kind).show]

interface Props {
  kind: ArticleKindName
  article: Pick<KindRow, 'id' | 'title' | 'product_id' | 'published' | 'announces'>
}

/** Button that publishes or unpublishes an article. */
export function PublishArticle({ kind, article }: Props) {
  const queries = useQueryClient()
  const calls = callsOf(kind)
  const on = article.published === 0
  const input = {
    params: { slug: String(article.id), action: on ? 'publish' : 'unpublish' },
    query: { product_id: article.product_id },
  }
  const { announceAct } = useUndo()
  const { send, sending } = useSend(calls.publishing, {
    failure: 'throw',
    onDone: ({ message, operation, data }) => {
      showPublished(queries, listsOf(kind), data)
      announceAct(message, operation)
    },
  })
  const press = async () => {
    const announced = await askToAnnounce(article)
    if (announced) await send({ ...input, query: { ...input.query, ...announced } })
  }
  if (!useMay(calls.publishing, input)) return null
  return (
    <RowAction
      disabled={sending}
      onClick={() => void press().catch(logFailure)}
      aria-label={`${on ? 'Publish' : 'Unpublish'} ${article.title}`}
    >
      {on ? 'Publish' : 'Unpublish'}
    </RowAction>
  )
}

/** Button that moves an article to the trash. */
export function DeleteArticle({ kind, article, onDone }: Props & { onDone?: () => void }) {
  const calls = callsOf(kind)
  const input = { params: { slug: String(article.id), productId: article.product_id } }
  const { announceAct } = useUndo()
  const { send, sending } = useSend(calls.remove, {
    failure: 'throw',
    onDone: ({ message, operation }) => {
      announceAct(message, operation)
      onDone?.()
    },
  })
  if (!useMay(calls.remove, input)) return null
  return (
    <RowAction
      disabled={sending}
      onClick={() => void send(input).catch(logFailure)}
      aria-label={`Move to trash: ${article.title}`}
    >
      Move to trash
    </RowAction>
  )
}
