import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Button } from '@mantine/core'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { chat, longestMessage, words, type ChatMessage } from '#features/panel/chat/contract.ts'
import classes from '#features/panel/chat/web/ChatPanel.module.css'
import { MessageText } from '#features/panel/chat/web/MessageText.tsx'
import {
  forget,
  isInFlight,
  keepUntilDelivered,
  readUnsent,
  subscribeToDelivery,
  type Unsent,
} from '#features/panel/chat/web/unsent.ts'
import { useRoom } from '#features/panel/chat/web/useRoom.ts'
import { session } from '#features/panel/session/contract.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { Avatar } from '#web/Avatar.tsx'
import { keyOf } from '#web/api/client.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { dropDraft, keepDraft, readDraft } from '#web/form/draft.ts'
import { ErrorState } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'
import { useViewer } from '#web/session.ts'
import { IconButton } from '#web/parts/controls.tsx'

interface Props {
  /** ID of the last message that the viewer had read when the panel opened. */
  readUpTo: number | undefined
  onClose: () => void
}

interface Pending extends Unsent {
  failure?: string
}

const draftName = 'chat'
const nearPx = 60

/** Staff chat panel, shown beside the page. */
export default function ChatPanel({ readUpTo, onClose }: Props) {
  const viewer = useViewer()
  const room = useRoom()
  const { messages } = room
  const [unreadFrom] = useState(readUpTo)
  const { pending, deliver, discard } = useDelivery(room.add)
  const { attach, hasNewBelow, toEnd, remember } = useFollowedScroll(messages, pending, viewer?.id)
  useMarkRead(messages?.at(-1)?.id)
  const firstUnread =
    unreadFrom === undefined
      ? undefined
      : messages?.find(({ id, user }) => id > unreadFrom && user.id !== viewer?.id)?.id

  return (
    <aside
      className={classes.panel}
      aria-label={words.header}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <header className={classes.head}>
        <h2>{words.header}</h2>
        <IconButton bare label="Close chat" onClick={onClose}>
          <IconX size={16} aria-hidden />
        </IconButton>
      </header>
      <div
        ref={attach}
        className={classes.messages}
        onScroll={remember}
        tabIndex={0}
        role="log"
        aria-label="Messages"
      >
        <Older room={room} />
        {messages?.map((message) => (
          <div key={message.id}>
            {message.id === firstUnread && <p className={classes.unread}>New</p>}
            <ChatMessageItem message={message} isOwn={message.user.id === viewer?.id} />
          </div>
        ))}
        {pending.map((one) => (
          <PendingMessage key={one.client_id} message={one} onSend={deliver} onDiscard={discard} />
        ))}
      </div>
      {hasNewBelow && (
        <button type="button" className={classes.newBelow} onClick={toEnd}>
          New messages
        </button>
      )}
      <Composer onSend={(text) => void deliver({ client_id: crypto.randomUUID(), text })} />
    </aside>
  )
}

/**
 * Keeps the scroll position while the viewer reads older messages; at the bottom, follows new ones.
 */
function useFollowedScroll(
  messages: readonly ChatMessage[] | undefined,
  pending: readonly Pending[],
  viewerId: number | undefined,
) {
  const scroller = useRef<HTMLDivElement>(null)
  const [hasNewBelow, setNewBelow] = useState(false)
  const place = useRef({ isAtEnd: true, fromEnd: 0, last: 0 })

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element || !messages) return
    const last = messages.at(-1)?.id ?? 0
    const isNew = last !== place.current.last
    const isOwn = messages.at(-1)?.user.id === viewerId
    if (place.current.isAtEnd || (isNew && isOwn)) element.scrollTop = element.scrollHeight
    else if (!isNew) element.scrollTop = element.scrollHeight - place.current.fromEnd
    else setNewBelow(true)
    place.current.last = last
    remember()
  }, [messages, pending, viewerId])

  function remember(): void {
    const element = scroller.current
    if (!element) return
    const fromEnd = element.scrollHeight - element.scrollTop
    place.current = { ...place.current, fromEnd, isAtEnd: fromEnd - element.clientHeight < nearPx }
    if (place.current.isAtEnd) setNewBelow(false)
  }

  function toEnd(): void {
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight
  }

  const attach = (element: HTMLDivElement | null) => {
    scroller.current = element
  }
  return { attach, hasNewBelow, toEnd, remember }
}

/** Sends messages, and keeps those that are not delivered yet. */
function useDelivery(add: (messages: ChatMessage[]) => void) {
  const [pending, setPending] = useState<readonly Pending[]>(() => restorePending(readUnsent()))
  const { send } = useSend(chat.send, { failure: 'throw' })

  async function deliver(one: Pending): Promise<void> {
    setPending((now) => [
      ...now.filter(({ client_id }) => client_id !== one.client_id),
      { client_id: one.client_id, text: one.text },
    ])
    try {
      const reply = await keepUntilDelivered(one, () =>
        send({ body: { message: one.text, client_id: one.client_id } }),
      )
      if (reply) add([reply.data])
      setPending((now) => now.filter(({ client_id }) => client_id !== one.client_id))
    } catch (error) {
      setPending((now) => [
        ...now.filter(({ client_id }) => client_id !== one.client_id),
        { ...one, failure: errorMessageOf(error) },
      ])
    }
  }

  useEffect(
    () =>
      subscribeToDelivery((client_id) =>
        setPending((now) =>
          now.flatMap((one) => (one.client_id === client_id ? restorePending([one]) : one)),
        ),
      ),
    [],
  )

  function discard(one: Pending): void {
    forget(one)
    setPending((now) => now.filter(({ client_id }) => client_id !== one.client_id))
  }

  return { pending, deliver, discard }
}

function Older({ room }: { room: ReturnType<typeof useRoom> }) {
  const { messages } = room
  return (
    <>
      {messages && messages.length > 0 && !room.isEnd && (
        <Button
          size="compact-xs"
          variant="default"
          loading={room.loadingOlder}
          onClick={() => void room.loadOlder()}
        >
          {words.loadMore}
        </Button>
      )}
      {messages && room.isEnd && <p className={classes.note}>{words.noMore}</p>}
      {room.error && !messages && <ErrorState error={room.error} onRetry={room.retry} />}
      {!messages && !room.error && <p role="status">Loading…</p>}
    </>
  )
}

interface PendingProps {
  message: Pending
  onSend: (message: Pending) => Promise<void>
  onDiscard: (message: Pending) => void
}

function PendingMessage({ message: one, onSend, onDiscard }: PendingProps) {
  return (
    <div className={classes.said} data-own>
      <p className={classes.text}>{one.text}</p>
      <p className={classes.by} role={one.failure ? 'alert' : 'status'}>
        {one.failure ? `Not sent. ${one.failure} ` : 'Sending…'}
        {one.failure && <LinkButton onClick={() => void onSend(one)}>Resend</LinkButton>}
        {one.failure && ' '}
        {one.failure && <LinkButton onClick={() => onDiscard(one)}>Discard</LinkButton>}
      </p>
    </div>
  )
}

/** Returns the unsent messages of a panel that was closed; some may still be in flight. */
function restorePending(messages: readonly Unsent[]): Pending[] {
  const unsent = readUnsent()
  return messages
    .filter(({ client_id }) => unsent.some((one) => one.client_id === client_id))
    .map(({ client_id, text }) => ({
      client_id,
      text,
      ...(isInFlight(client_id) ? {} : { failure: 'The chat was closed before this message could be sent.' }),
    }))
}

function ChatMessageItem({ message, isOwn }: { message: ChatMessage; isOwn: boolean }) {
  return (
    <div className={classes.message}>
      <Avatar name={message.user.name} picture={message.user.avatar} pictures={session.picture} size={24} />
      <div className={classes.said} data-own={isOwn || undefined}>
        <p className={classes.by}>
          <strong>{message.user.name}</strong> <Moment at={message.created_at} />
        </p>
        <p className={classes.text}>
          <MessageText text={message.message} />
        </p>
      </div>
    </div>
  )
}

function draftedText(): string {
  const typed = readDraft(draftName)?.values['message']
  return typeof typed === 'string' ? typed : ''
}

/** Message input whose text survives closing the tab. Enter sends; Shift+Enter inserts a line break. */
function Composer({ onSend }: { onSend: (text: string) => void }) {
  const [text, setText] = useState(() => draftedText())
  const isEmpty = text.trim() === ''

  function type(next: string): void {
    setText(next)
    if (next === '') dropDraft(draftName)
    else keepDraft(draftName, { message: next }, {})
  }

  function submit(): void {
    if (isEmpty) return
    onSend(text)
    type('')
  }

  function press(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    submit()
  }

  return (
    <form
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <textarea
        className={classes.field}
        aria-label={words.placeholder}
        placeholder={words.placeholder}
        rows={2}
        maxLength={longestMessage}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={press}
      />
      <Button type="submit" size="xs" disabled={isEmpty}>
        Send
      </Button>
    </form>
  )
}

const readAfterMs = 800

/** Marks all messages in the open panel as read. */
function useMarkRead(lastId: number | undefined): void {
  const queries = useQueryClient()
  const { send } = useSend(chat.read, { failure: 'throw' })
  const read = useEffectEvent(async (id: number) => {
    await send({ body: { id } }).catch(() => {})
    void queries.invalidateQueries({ queryKey: keyOf(chat.unread) })
  })
  useEffect(() => {
    if (lastId === undefined) return
    const timer = setTimeout(() => void read(lastId), readAfterMs)
    return () => clearTimeout(timer)
  }, [lastId])
}
