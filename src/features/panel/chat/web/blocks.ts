import { plainDate, type PlainDate } from '#shared/dates.ts'
import type { ChatMessage } from '#features/panel/chat/contract.ts'

/** Messages that one person wrote in a row, below the heading of a day or of what is unread, if they have one. */
export interface Block {
  messages: readonly [ChatMessage, ...ChatMessage[]]
  /** Day that begins with this block. */
  day: PlainDate | undefined
  /** Whether the unread messages begin with this block. */
  isNew: boolean
}

const together = 5 * 60_000

/** Returns messages in blocks: of one person, with at most five minutes between two messages. */
export function blocksOf(messages: readonly ChatMessage[], firstUnread: number | undefined): Block[] {
  const blocks: (Block & { messages: [ChatMessage, ...ChatMessage[]] })[] = []
  let lastDay: PlainDate | undefined
  for (const message of messages) {
    const block = blocks.at(-1)
    const last = block?.messages.at(-1)
    const day = plainDate(new Date(message.created_at))
    const isNew = message.id === firstUnread
    const continues =
      !isNew &&
      day === lastDay &&
      last?.user.id === message.user.id &&
      Date.parse(message.created_at) - Date.parse(last.created_at) <= together
    if (continues) block!.messages.push(message)
    else blocks.push({ messages: [message], day: day === lastDay ? undefined : day, isNew })
    lastDay = day
  }
  return blocks
}
