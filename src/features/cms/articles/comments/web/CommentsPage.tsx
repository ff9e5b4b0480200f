import { Button } from '@mantine/core'
import type { z } from 'zod'
import type { Reply } from '#shared/endpoint.ts'
import {
  CommentFilters,
  comments,
  mostCounted,
  type CommentRow,
} from '#features/cms/articles/comments/contract.ts'
import { commentStates } from '#features/cms/articles/comments/fields.ts'
import { stateTones } from '#features/cms/articles/comments/web/commentStates.ts'
import { Reasons } from '#features/cms/articles/comments/web/Reasons.tsx'
import { useMay, useSend } from '#web/api/useSend.ts'
import { InboxPage } from '#web/list/inbox/InboxPage.tsx'
import type { InboxLines } from '#web/list/inbox/InboxRow.tsx'
import { inboxParameters } from '#web/list/inbox/useLayout.ts'
import { useList, type ListOf } from '#web/list/useList.ts'
import { FilterTab, FilterTabs } from '#web/parts/Tabs.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { countText } from '#web/time.ts'

const CommentPane = lazyPart(() => import('#features/cms/articles/comments/web/CommentPane.tsx'))

const { open } = inboxParameters
const PageFilters = CommentFilters.extend({ open })
type PageFilters = z.output<typeof PageFilters>
type CommentsReply = Reply<typeof comments.list>

const commentList: ListOf<CommentRow, typeof PageFilters, CommentsReply> = {
  name: 'comments',
  type: 'comment',
  endpoint: comments.list,
  filters: PageFilters,
  toQuery: ({ open: _open, ...rest }) => rest,
  columns: [],
  rowKey: ({ id }) => id,
  rowName: ({ sender_name, body }) => `${sender_name}: ${body.slice(0, 40)}`,
  addressOf: ({ id }) => `/comments?open=${id}`,
  searchLabel: 'Search comments',
}

/** Latest comments on all posts, with the open one among those on its post. */
export function CommentsPage() {
  const list = useList(commentList)
  const { reply, filters, filterBy } = list
  return (
    <InboxPage
      list={list}
      above={
        reply && (
          <States
            counts={reply.counts}
            chosen={filters.state}
            onChoose={(state) => void filterBy({ state, page: 1 })}
          />
        )
      }
      canSelectAll={false}
      bulk={<MarkMany ids={list.selection.ids} onDone={() => void list.keepSelected()} />}
      empty={{ title: 'No comments yet', text: 'Comments from your public sites appear here.' }}
      lines={linesOf}
      Pane={CommentPane}
      nothingOpen="No comment open"
    />
  )
}

const states = [0, 1, 2] as const

function States({
  counts,
  chosen,
  onChoose,
}: {
  counts: CommentsReply['counts']
  chosen: PageFilters['state']
  onChoose: (state: PageFilters['state']) => void
}) {
  return (
    <FilterTabs label="Status">
      {states.map((state) => (
        <FilterTab
          key={state}
          isCurrent={chosen === state}
          count={countsText(counts[state])}
          onClick={() => onChoose(state)}
        >
          {commentStates[state]}
        </FilterTab>
      ))}
      <FilterTab isCurrent={chosen === undefined} onClick={() => onChoose(undefined)}>
        All
      </FilterTab>
    </FilterTabs>
  )
}

const countsText = (count: number) => (count < mostCounted ? countText(count) : `${countText(mostCounted)}+`)

const linesOf = (row: CommentRow): InboxLines => ({
  title: row.sender_name,
  shown: <strong>{row.sender_name}</strong>,
  at: row.created_at,
  from: row.body,
  status: <Tone tone={stateTones[row.state as 0 | 1 | 2]}>{commentStates[row.state as 0 | 1 | 2]}</Tone>,
  note: <Reasons comment={row} />,
})

/** Buttons for approving the selected comments or marking them as spam. */
function MarkMany({ ids, onDone }: { ids: readonly number[]; onDone: () => void }) {
  const { announceAct } = useUndo()
  const { send, sending } = useSend(comments.setState, {
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
