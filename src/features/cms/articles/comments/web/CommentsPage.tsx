import { Button } from '@mantine/core'
import { CommentFilters, comments, type Comment } from '#features/cms/articles/comments/contract.ts'
import { commentFields, commentStates } from '#features/cms/articles/comments/fields.ts'
import {
  commentLists,
  CommentState,
  DeleteComment,
} from '#features/cms/articles/comments/web/CommentActions.tsx'
import { useMay, useSend } from '#web/api/useSend.ts'
import { Card, NameLink } from '#web/list/cells.tsx'
import { columnsOfFields } from '#web/list/columns.ts'
import { choice } from '#web/filter/filters.tsx'
import { Filters } from '#web/list/Filters.tsx'
import { ListHead } from '#web/list/ListHead.tsx'
import { ListTable } from '#web/list/ListTable.tsx'
import { Selected } from '#web/list/Selected.tsx'
import { useList, type ListOf } from '#web/list/useList.ts'
import { Moment } from '#web/Moment.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import type { z } from 'zod'

const addressOf = ({ post }: Comment) => `/posts/${encodeURIComponent(post.slug)}`

const columns = columnsOfFields<Comment, typeof commentFields>(commentFields, {
  sender_name: { title: ({ sender_email }) => sender_email },
  state: { cell: (row) => <CommentState comment={row} /> },
  post: {
    cell: (row) => <NameLink to={addressOf(row)}>{row.post.title}</NameLink>,
    title: ({ post }) => post.title,
  },
  created_at: { cell: (row) => <Moment at={row.created_at} /> },
})

const commentList: ListOf<Comment, typeof CommentFilters> = {
  name: 'comments',
  type: 'comment',
  endpoint: comments.list,
  filters: CommentFilters,
  columns,
  rowKey: ({ id }) => id,
  rowName: ({ sender_name, body }) => `${sender_name}: ${body.slice(0, 40)}`,
  addressOf,
  card: (row) => commentCard(row),
  searchLabel: 'Search comments',
}

const filters = [
  choice<z.output<typeof CommentFilters>>(
    'state',
    commentFields.state.label,
    'All statuses',
    ([0, 1, 2] as const).map((id) => [id, commentStates[id]] as const),
  ),
]

/** Page with the latest comments on all posts. */
export function CommentsPage() {
  const list = useList(commentList)
  return (
    <>
      <ListHead list={list} />
      <Filters list={list} filters={filters}>
        <Selected list={list}>
          <MarkMany ids={list.selection.ids} onDone={list.selection.clear} />
        </Selected>
      </Filters>
      <ListTable
        list={list}
        filters={filters}
        rowActions={commentActs}
        empty={{ title: 'No comments yet', text: 'Comments from your public sites appear here.' }}
      />
    </>
  )
}

const commentActs = (row: Comment) => <DeleteComment comment={row} />

const commentCard = (row: Comment) => (
  <Card
    title={row.sender_name}
    aside={<CommentState comment={row} />}
    actions={<DeleteComment comment={row} />}
  >
    {row.body}
  </Card>
)

/** Buttons for approving the selected comments or marking them as spam. */
function MarkMany({ ids, onDone }: { ids: readonly number[]; onDone: () => void }) {
  const { announceAct } = useUndo(commentLists)
  const { send, sending } = useSend(comments.setState, {
    refresh: commentLists,
    onDone: ({ message, operation }) => {
      announceAct(message, operation)
      onDone()
    },
  })
  const may = useMay(comments.setState, { body: { ids: [1], state: 0 } })
  if (!may) return null
  return ([1, 2, 0] as const).map((state) => (
    <Button
      key={state}
      size="compact-xs"
      variant="default"
      loading={sending}
      onClick={() => void send({ body: { ids: [...ids], state } })}
    >
      {state === 1 ? 'Approve' : state === 2 ? 'Spam' : 'Pending'}
    </Button>
  ))
}
