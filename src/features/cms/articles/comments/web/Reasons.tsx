import type { ReactNode } from 'react'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import IconMailOff from '@tabler/icons-react/dist/esm/icons/IconMailOff.mjs'
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs'
import type { CommentRow } from '#features/cms/articles/comments/contract.ts'
import classes from '#features/cms/articles/comments/web/comments.module.css'
import { countText } from '#web/time.ts'

/** The post of a comment, and what helps to decide on it: links, and what is known about the sender. */
export function Reasons({ comment: { post, body, approved_earlier } }: { comment: CommentRow }) {
  const links = body.match(/https?:\/\/|www\./gi)?.length ?? 0
  return (
    <>
      <span className={classes.postName} title={post.title}>
        {post.title}
      </span>
      {links > 0 && (
        <Reason tone="orange" icon={<IconLink size={13} aria-hidden />}>
          {links === 1 ? '1 link' : `${links} links`}
        </Reason>
      )}
      {approved_earlier === null && (
        <Reason tone="gray" icon={<IconMailOff size={13} aria-hidden />}>
          No email address
        </Reason>
      )}
      {approved_earlier === 0 && (
        <Reason tone="gray" icon={<IconUserPlus size={13} aria-hidden />}>
          None approved earlier
        </Reason>
      )}
      {approved_earlier !== null && approved_earlier > 0 && (
        <Reason tone="green" icon={<IconCircleCheck size={13} aria-hidden />}>
          {`${countText(approved_earlier)}${approved_earlier === 100 ? '+' : ''} approved earlier`}
        </Reason>
      )}
    </>
  )
}

const Reason = ({ tone, icon, children }: { tone: string; icon: ReactNode; children: ReactNode }) => (
  <span
    className={classes.reason}
    style={{ background: `color-mix(in srgb, var(--tone-${tone}) 13%, transparent)` }}
  >
    {icon}
    {children}
  </span>
)
