import { comments, type Comment } from '#features/cms/articles/comments/contract.ts'
import { commentStates } from '#features/cms/articles/comments/fields.ts'
import { stateTones, useWhyNotComment } from '#features/cms/articles/comments/web/commentStates.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { RowAction } from '#web/list/cells.tsx'
import { ChoiceCell } from '#web/list/CellMenu.tsx'
import { useUndo } from '#web/record/useUndo.ts'

const states = ([0, 1, 2] as const).map((id) => ({ id, name: commentStates[id], tone: stateTones[id] }))

/** The status of a comment, editable in place by users who can delete the comment. */
export function CommentState({ comment }: { comment: Comment }) {
  const { announceAct } = useUndo()
  const { send } = useSend(comments.setState, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const why = useWhyNotComment(comment)
  const may = useMay(comments.setState, { body: { ids: [comment.id], state: 0 } }) && why === undefined
  return (
    <span title={why}>
      <ChoiceCell
        label={`Status of comment by ${comment.sender_name}`}
        options={states}
        value={comment.state}
        may={may}
        onChoose={(state) => void send({ body: { ids: [comment.id], state } })}
      />
    </span>
  )
}

/** Button that moves a comment to the trash. */
export function DeleteComment({ comment }: { comment: Comment }) {
  const { announceAct } = useUndo()
  const { send, sending } = useSend(comments.remove, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const why = useWhyNotComment(comment)
  const input = { params: { id: comment.id } }
  if (!useMay(comments.remove, input)) return null
  return (
    <RowAction
      whyNot={why}
      disabled={sending}
      onClick={() => void send(input)}
      aria-label={`Move to trash: comment by ${comment.sender_name}`}
    >
      Move to trash
    </RowAction>
  )
}
