import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import IconCircleHalf2 from '@tabler/icons-react/dist/esm/icons/IconCircleHalf2.mjs'
import IconPaperclip from '@tabler/icons-react/dist/esm/icons/IconPaperclip.mjs'
import IconPhotoOff from '@tabler/icons-react/dist/esm/icons/IconPhotoOff.mjs'
import type { FaqQuestion, FilledReply, SavedReplyRow } from '#features/crm/support/saved-replies.contract.ts'
import classes from '#features/crm/support/web/saved-replies/savedReplies.module.css'
import {
  answerOf,
  insertedOf,
  type ReplyTarget,
} from '#features/crm/support/web/saved-replies/useInsertable.ts'
import { useLists } from '#web/filter/useOptions.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { RichText } from '#web/richtext/RichText.tsx'

/** A saved reply as it would be inserted. */
export function ReplyPreview({ row, target }: { row: SavedReplyRow; target: ReplyTarget }) {
  const { data } = useQuery<{ data: FilledReply }>(insertedOf(target, row.id))
  const { ticket_statuses } = useLists('ticket_statuses')
  const status = ticket_statuses.find((one) => one.id === row.status)
  return (
    <Preview name={row.name} html={data?.data.content} words={row.words}>
      {data?.data.files.map((file) => (
        <Soft key={file.id} small>
          <IconPaperclip size={13} aria-hidden /> {file.name}
        </Soft>
      ))}
      {status && (
        <Soft small>
          <IconCircleHalf2 size={13} aria-hidden /> Sets the status to {status.name}
        </Soft>
      )}
    </Preview>
  )
}

/** The answer of an FAQ as it would be inserted. */
export function AnswerPreview({ row }: { row: FaqQuestion }) {
  const { data } = useQuery(answerOf(row.id))
  const images = data?.data.images ?? 0
  return (
    <Preview name={row.title} html={data?.data.content} words="Loading the answer…">
      {images > 0 && (
        <Soft small>
          <IconPhotoOff size={13} aria-hidden /> Without its {images === 1 ? 'image' : `${images} images`}
        </Soft>
      )}
    </Preview>
  )
}

interface Props {
  name: string
  html: string | undefined
  /** Shown until the HTML is loaded. */
  words: string
  children: ReactNode
}

const Preview = ({ name, html, words, children }: Props) => (
  <div className={classes.preview}>
    <strong>{name}</strong>
    {html === undefined ? <p>{words}</p> : <RichText html={html} />}
    {children}
  </div>
)
