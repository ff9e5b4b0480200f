import { useQuery } from '@tanstack/react-query'
import IconBan from '@tabler/icons-react/dist/esm/icons/IconBan.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import {
  comments,
  type Comment,
  type CommentRow,
  type CommentThread,
} from '#features/cms/articles/comments/contract.ts'
import { commentStates } from '#features/cms/articles/comments/fields.ts'
import { stateTones, useWhyNotComment } from '#features/cms/articles/comments/web/commentStates.ts'
import classes from '#features/cms/articles/comments/web/comments.module.css'
import { Initials } from '#web/Avatar.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import type { OpenRecord } from '#web/list/inbox/Inbox.tsx'
import { PaneHead } from '#web/list/inbox/PaneHead.tsx'
import { RecordPane } from '#web/list/inbox/RecordPane.tsx'
import { Moment } from '#web/Moment.tsx'
import { TextButton, TextLink } from '#web/parts/controls.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { pendingSteps } from '#web/record/pendingSteps.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { dayText, plainDate } from '#shared/dates.ts'
import { countText } from '#web/time.ts'

/** A comment beside the list: the other comments on its post, and what can be done with it. */
export default function CommentPane({ id, note }: OpenRecord<CommentRow>) {
  const query = useQuery(queryOptionsFor(comments.show, { params: { id } }))
  const may = useMay(comments.show, { params: { id } })
  return (
    <RecordPane query={query} one="comment" may={may}>
      {(reply) => <Thread reply={reply} note={note} />}
    </RecordPane>
  )
}

interface ThreadProps {
  reply: CommentThread
  note: (row: CommentRow) => void
}

function Thread({ reply: { data, post, thread }, note }: ThreadProps) {
  return (
    <>
      <PaneHead
        title={data.post.title}
        about={
          <>
            {post.author}
            {post.published_at !== null && ` · Published ${dayText(plainDate(new Date(post.published_at)))}`}
            {` · ${post.comments === 1 ? '1 comment' : `${countText(post.comments)} comments`}`}
          </>
        }
      >
        <TextLink
          icon={<IconExternalLink size={14} aria-hidden />}
          to={`/posts/${encodeURIComponent(data.post.slug)}`}
        >
          Open post
        </TextLink>
      </PaneHead>
      <div className={classes.scroll} tabIndex={0} role="region" aria-label="Comments on this post">
        <ol className={classes.thread}>
          {thread.map((comment) => (
            <Said key={comment.id} comment={comment} isOpen={comment.id === data.id} />
          ))}
        </ol>
        <p className={classes.sender}>
          <strong>{data.sender_name}</strong>
          {data.sender_email && <Soft as="span">{data.sender_email}</Soft>}
          <Soft as="span">{senderText(data)}</Soft>
        </p>
      </div>
      <Decide comment={data} note={note} />
    </>
  )
}

const senderText = ({ approved_earlier }: CommentRow) => {
  if (approved_earlier === null) return 'No email address'
  if (approved_earlier === 0) return 'No approved comments with this email address'
  return `${countText(approved_earlier)}${approved_earlier === 100 ? ' or more' : ''} approved with this email address`
}

function Said({ comment, isOpen }: { comment: Comment; isOpen: boolean }) {
  const state = comment.state as 0 | 1 | 2
  return (
    <li
      className={classes.said}
      aria-current={isOpen || undefined}
      ref={(element) => {
        if (isOpen) element?.scrollIntoView?.({ block: 'center' })
      }}
    >
      <Initials name={comment.sender_name} size={28} />
      <p className={classes.by}>
        <strong>{comment.sender_name}</strong>
        <Tone tone={stateTones[state]}>{commentStates[state]}</Tone>
        <Soft as="span" small>
          <Moment at={comment.created_at} />
        </Soft>
      </p>
      <div className={classes.box}>{comment.body}</div>
    </li>
  )
}

/** Buttons that decide on the open comment, after which the next one opens. */
function Decide({ comment, note }: { comment: CommentRow; note: (row: CommentRow) => void }) {
  const { announceAct } = useUndo()
  const why = useWhyNotComment(comment)
  const next = () => pendingSteps.add(comment.id, 1)
  const mark = useSend(comments.setState, {
    onDone: ({ message, operation }) => {
      announceAct(message, operation)
      next()
    },
  })
  const trash = useSend(comments.remove, {
    onDone: ({ message, operation }) => {
      announceAct(message, operation)
      next()
    },
  })
  const setState = (state: 0 | 1 | 2) => {
    if (why !== undefined || comment.state === state || mark.sending) return
    note({ ...comment, state })
    void mark.send({ body: { ids: [comment.id], state } })
  }
  const remove = () => {
    if (why === undefined && !trash.sending) void trash.send({ params: { id: comment.id } })
  }
  usePageKeys({ a: () => setState(1), s: () => setState(2), d: remove })
  const busy = mark.sending || trash.sending || why !== undefined
  return (
    <div className={classes.decide} title={why} data-palette-part="This page">
      {why && <Soft small>{why}</Soft>}
      <TextButton icon={<IconTrash size={14} aria-hidden />} disabled={busy} title="D" onClick={remove}>
        Move to trash
      </TextButton>
      {comment.state !== 2 && (
        <TextButton
          icon={<IconBan size={14} aria-hidden />}
          disabled={busy}
          title="S"
          onClick={() => setState(2)}
        >
          Spam
        </TextButton>
      )}
      {comment.state !== 1 && (
        <TextButton
          primary
          icon={<IconCheck size={14} aria-hidden />}
          disabled={busy}
          title="A"
          onClick={() => setState(1)}
        >
          Approve
        </TextButton>
      )}
    </div>
  )
}
