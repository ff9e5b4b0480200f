import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { comments } from '#features/cms/articles/comments/contract.ts'
import { CommentState, DeleteComment } from '#features/cms/articles/comments/web/CommentActions.tsx'
import classes from '#features/cms/articles/comments/web/comments.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { Pager } from '#web/list/Pager.tsx'
import { ErrorState } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'
import { Soft } from '#web/parts/Soft.tsx'

/** List of the comments on a post, newest first. */
export function PostComments({ post: { id } }: { post: { id: number } }) {
  const [page, setPage] = useState(1)
  const input = { params: { id: String(id) }, query: { page } }
  const may = useMay(comments.byPost, input)
  const { data, error, refetch } = useQuery({ ...queryOptionsFor(comments.byPost, input), enabled: may })
  if (!may) return null
  return (
    <section className={classes.section} aria-label="Comments">
      <h2>Comments</h2>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.total === 0 && <Soft>No comments yet.</Soft>}
      <ul className={classes.comments}>
        {data?.data.map((comment) => (
          <li key={comment.id}>
            <span className={classes.line}>
              <strong>{comment.sender_name}</strong>
              <Soft as="span">
                <Moment at={comment.created_at} />
              </Soft>
              <CommentState comment={comment} />
              <DeleteComment comment={comment} />
            </span>
            <p>{comment.body}</p>
          </li>
        ))}
      </ul>
      {(data?.total ?? 0) > (data?.per_page ?? 20) && (
        <Pager total={data?.total} perPage={data?.per_page} page={page} onPage={setPage} />
      )}
    </section>
  )
}
