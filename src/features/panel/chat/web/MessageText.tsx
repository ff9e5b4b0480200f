import classes from '#features/panel/chat/web/ChatPanel.module.css'
import { messageParts, type MessagePart } from '#features/panel/chat/web/messageParts.ts'
import { PageLink } from '#web/parts/PageLink.tsx'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useViewer } from '#web/session.ts'

interface Props {
  text: string
  /** Names of those who can be mentioned. */
  people: readonly string[]
}

/** A message shown as entered: plain text, with mentions, links, and the records that the viewer can open. */
export const MessageText = ({ text, people }: Props) =>
  messageParts(text, people).map((part, at) => <Part key={at} part={part} />)

function Part({ part }: { part: MessagePart }) {
  const viewer = useViewer()
  const { kind, text } = part
  if (kind === 'mention') {
    const isMe = viewer !== undefined && text === `@${viewer.firstName} ${viewer.lastName}`.trim()
    return (
      <span className={classes.mention} data-me={isMe || undefined}>
        {text}
      </span>
    )
  }
  if (kind === 'record') {
    const to = recordAddress(part.record.type, part.record.id, viewer)
    // An address is as long as the panel is wide, so it is shown like a reference that was typed.
    const words = text.startsWith('#') ? text : `#${part.record.type.replace('_', ' ')} ${part.record.id}`
    if (to !== undefined) return <PageLink to={to}>{words}</PageLink>
  }
  if (text.startsWith('http'))
    return (
      <a href={text} target="_blank" rel="noopener noreferrer">
        {text}
      </a>
    )
  return text
}
