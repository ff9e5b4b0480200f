import type { RecordCard } from '#shared/record.contract.ts'
import { chatRecord, type ChatMessage } from '#features/panel/chat/contract.ts'
import { blocksOf, type Block } from '#features/panel/chat/web/blocks.ts'
import classes from '#features/panel/chat/web/ChatPanel.module.css'
import { MessageText } from '#features/panel/chat/web/MessageText.tsx'
import { CardOfRecord, cardsIn } from '#features/panel/chat/web/RecordCards.tsx'
import { Avatar } from '#web/Avatar.tsx'
import { clockTime, dayHeading, fullTime, useToday } from '#web/time.ts'

interface Props {
  messages: readonly ChatMessage[]
  firstUnread: number | undefined
  /** Names of those who can be mentioned. */
  people: readonly string[]
  cards: readonly RecordCard[] | undefined
  /** ID of the element that the address names. */
  target: string | undefined
}

/** ID of a message's element, which notices lead to. */
const idOf = ({ id }: ChatMessage) => `${chatRecord.anchorPrefix}${id}`

/** The messages of the chat: blocks of one person, with a line per day and above what is unread. */
export function ChatMessages({ messages, firstUnread, people, cards, target }: Props) {
  const today = useToday()
  return blocksOf(messages, firstUnread).map((block) => (
    <div key={block.messages[0].id}>
      {block.day && <p className={classes.day}>{dayHeading(block.day, today)}</p>}
      {block.isNew && <p className={classes.unread}>New</p>}
      <BlockOf block={block} people={people} target={target} cards={cards} />
    </div>
  ))
}

interface BlockProps {
  block: Block
  people: readonly string[]
  target: string | undefined
  cards: readonly RecordCard[] | undefined
}

function BlockOf({ block: { messages }, people, target, cards }: BlockProps) {
  const { user, created_at } = messages[0]
  return (
    <div className={classes.message}>
      <Avatar name={user.name} picture={user.avatar} size={28} />
      <div className={classes.said}>
        <p className={classes.by}>
          <strong>{user.name}</strong>{' '}
          <time dateTime={created_at} title={fullTime(created_at)}>
            {clockTime(created_at)}
          </time>
        </p>
        {messages.map((message) => (
          <div
            key={message.id}
            id={idOf(message)}
            data-target={target === idOf(message) || undefined}
            className={classes.one}
          >
            <p className={classes.text} title={fullTime(message.created_at)}>
              <MessageText text={message.message} people={people} />
            </p>
            {cardsIn(message.message, cards).map((card) => (
              <CardOfRecord key={`${card.type} ${card.id}`} card={card} />
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}
