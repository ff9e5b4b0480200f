import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '@mantine/core'
import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs'
import IconBellOff from '@tabler/icons-react/dist/esm/icons/IconBellOff.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { RecordCard } from '#shared/record.contract.ts'
import { chat, chatRecord, words, type ChatMessage } from '#features/panel/chat/contract.ts'
import { ChatComposer } from '#features/panel/chat/web/ChatComposer.tsx'
import { ChatMessages } from '#features/panel/chat/web/ChatMessages.tsx'
import classes from '#features/panel/chat/web/ChatPanel.module.css'
import { useRecordCards } from '#features/panel/chat/web/RecordCards.tsx'
import {
  forget,
  isInFlight,
  keepUntilDelivered,
  readUnsent,
  subscribeToDelivery,
  type Unsent,
} from '#features/panel/chat/web/unsent.ts'
import { useRoom } from '#features/panel/chat/web/useRoom.ts'
import { useLocation } from '@tanstack/react-router'
import { Avatar } from '#web/Avatar.tsx'
import { mentionedIn, type Person as ChatPerson } from '#web/composer/mentions.ts'
import { useStaff } from '#web/filter/useOptions.ts'
import { useFocusBack } from '#web/parts/useFocusBack.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { errorMessageOf } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { ErrorState, LoadingState } from '#web/list/states.tsx'
import { toast } from '#web/message/toast.ts'
import { useShown } from '#web/record/shownRecords.ts'
import { useViewer, type Person } from '#web/session.ts'
import { IconButton } from '#web/parts/controls.tsx'

interface Props {
  /** ID of the last message that the viewer had read when the panel opened. */
  readUpTo: number | undefined
  /** Whether the viewer gets no notices of mentions in the chat. */
  isMuted: boolean
  onClose: () => void
}

interface Pending extends Unsent {
  failure?: string
}

/** Button that mutes the chat: mentions in it send no more notices. */
function Mute({ isMuted }: { isMuted: boolean }) {
  const { send, sending } = useSend(chat.mute, {
    onDone: ({ message }) => toast.success(message),
  })
  const Icon = isMuted ? IconBellOff : IconBell
  return (
    <IconButton
      bare
      label={isMuted ? 'Unmute chat' : 'Mute chat'}
      busy={sending}
      onClick={() => void send({ body: { muted: !isMuted } })}
    >
      <Icon size={16} aria-hidden />
    </IconButton>
  )
}

const nearPx = 60

/** Staff chat panel, shown beside the page. */
export default function ChatPanel({ readUpTo, isMuted, onClose }: Props) {
  const viewer = useViewer()
  useShown(chatRecord.type, chatRecord.id)
  const room = useRoom()
  const { messages } = room
  const [unreadFrom] = useState(readUpTo)
  const people = useStaff()
  const cards = useRecordCards(messages)
  const { pending, deliver, discard } = useDelivery(room.add, people)
  const target = useMessageOfAddress(room)
  useRoomForComposers(onClose)
  useFocusBack()
  const { attach, hasNewBelow, toEnd, remember } = useFollowedScroll(messages, pending, cards, viewer?.id)
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
        {people.length > 0 && <span className={classes.members}>{people.length} members</span>}
        <Mute isMuted={isMuted} />
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
        {messages && (
          <ChatMessages
            messages={messages}
            firstUnread={firstUnread}
            people={people.map(({ name }) => name)}
            cards={cards}
            target={target}
          />
        )}
        {viewer && pending.length > 0 && (
          <PendingMessages viewer={viewer} messages={pending} onSend={deliver} onDiscard={discard} />
        )}
      </div>
      {hasNewBelow && (
        <button type="button" className={classes.newBelow} onClick={toEnd}>
          New messages
        </button>
      )}
      <ChatComposer
        people={people}
        onSend={(text) => void deliver({ client_id: crypto.randomUUID(), text })}
      />
    </aside>
  )
}

/** Element and place of the first message in view. */
function firstInView(scroller: HTMLElement): { id: string; top: number } | undefined {
  const { top } = scroller.getBoundingClientRect()
  for (const element of scroller.querySelectorAll(`[id^="${chatRecord.anchorPrefix}"]`)) {
    const place = element.getBoundingClientRect()
    if (place.bottom > top) return { id: element.id, top: place.top - top }
  }
  return undefined
}

/**
 * Keeps the scroll position while the viewer reads older messages; at the bottom, follows new ones.
 */
function useFollowedScroll(
  messages: readonly ChatMessage[] | undefined,
  pending: readonly Pending[],
  cards: readonly RecordCard[] | undefined,
  viewerId: number | undefined,
) {
  const scroller = useRef<HTMLDivElement>(null)
  const [hasNewBelow, setNewBelow] = useState(false)
  const place = useRef({
    isAtEnd: true,
    first: undefined as ReturnType<typeof firstInView>,
    last: 0,
    oldest: 0,
  })

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element || !messages) return
    const last = messages.at(-1)?.id ?? 0
    const isNew = last !== place.current.last
    const isOwn = messages.at(-1)?.user.id === viewerId
    const { first } = place.current
    const before = first && document.getElementById(first.id)
    const oldest = messages[0]?.id ?? 0
    // Older messages keep the place even in a room so short that its end is in view.
    const isOlder = place.current.oldest > oldest
    if ((place.current.isAtEnd && !isOlder) || (isNew && isOwn)) element.scrollTop = element.scrollHeight
    else if (before)
      element.scrollTop +=
        before.getBoundingClientRect().top - element.getBoundingClientRect().top - first.top
    if (isNew && !place.current.isAtEnd && !isOwn) setNewBelow(true)
    place.current = { ...place.current, last, oldest }
    remember()
  }, [messages, pending, cards, viewerId])

  function remember(): void {
    const element = scroller.current
    if (!element) return
    const below = element.scrollHeight - element.scrollTop - element.clientHeight
    place.current = { ...place.current, isAtEnd: below < nearPx, first: firstInView(element) }
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
function useDelivery(add: (messages: ChatMessage[]) => void, people: readonly ChatPerson[]) {
  const [pending, setPending] = useState<readonly Pending[]>(() => restorePending(readUnsent()))
  const { send } = useSend(chat.send, { failure: 'throw' })

  async function deliver(one: Pending): Promise<void> {
    setPending((now) => [
      ...now.filter(({ client_id }) => client_id !== one.client_id),
      { client_id: one.client_id, text: one.text },
    ])
    const tag_user = mentionedIn(one.text, people).map(({ id }) => id)
    try {
      const reply = await keepUntilDelivered(one, () =>
        send({
          body: {
            message: one.text,
            client_id: one.client_id,
            ...(tag_user.length > 0 && { tag_user }),
          },
        }),
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
          flex="none"
          loading={room.loadingOlder}
          onClick={() => void room.loadOlder()}
        >
          {words.loadMore}
        </Button>
      )}
      {messages && room.isEnd && <p className={classes.note}>{words.noMore}</p>}
      {room.error && !messages && <ErrorState error={room.error} onRetry={room.retry} />}
      {!messages && !room.error && <LoadingState />}
    </>
  )
}

interface PendingProps {
  viewer: Person
  messages: readonly Pending[]
  onSend: (message: Pending) => Promise<void>
  onDiscard: (message: Pending) => void
}

/** The viewer's messages that are not delivered yet, below the others. */
function PendingMessages({ viewer, messages, onSend, onDiscard }: PendingProps) {
  const name = `${viewer.firstName} ${viewer.lastName}`
  return (
    <div className={classes.message}>
      <Avatar name={name} picture={viewer.avatar} size={28} />
      <div className={classes.said}>
        <p className={classes.by}>
          <strong>{name}</strong>
        </p>
        {messages.map((one) => (
          <div key={one.client_id} className={classes.one} data-pending>
            <p className={classes.text}>{one.text}</p>
            <p className={classes.by} role={one.failure ? 'alert' : 'status'}>
              {one.failure ? `Not sent. ${one.failure} ` : 'Sending…'}
              {one.failure && <LinkButton onClick={() => void onSend(one)}>Resend</LinkButton>}
              {one.failure && ' '}
              {one.failure && <LinkButton onClick={() => onDiscard(one)}>Discard</LinkButton>}
            </p>
          </div>
        ))}
      </div>
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

const readAfterMs = 800

/** Marks all messages in the open panel as read. */
function useMarkRead(lastId: number | undefined): void {
  const { send } = useSend(chat.read, { failure: 'throw' })
  const read = useEffectEvent((id: number) => send({ body: { id } }).catch(() => {}))
  useEffect(() => {
    if (lastId === undefined) return
    const timer = setTimeout(() => void read(lastId), readAfterMs)
    return () => clearTimeout(timer)
  }, [lastId])
}

/** Number of messages loaded in one request until the one that the address names is among them. */
const atOnce = 100

/**
 * Returns the ID of the message's element that the address names, such as `chat-12`; loads older messages until
 * it is there, and brings it into view.
 */
function useMessageOfAddress({ messages, isEnd, loadOlder }: ReturnType<typeof useRoom>): string | undefined {
  const hash = useLocation({ select: (location) => location.hash })
  const { anchorPrefix } = chatRecord
  const wanted = hash.startsWith(anchorPrefix) ? Number(hash.slice(anchorPrefix.length)) : undefined
  const oldest = messages?.[0]?.id
  const isLoaded = messages?.some(({ id }) => id === wanted) ?? false
  const load = useEffectEvent(() => void loadOlder(atOnce).catch(() => {}))
  useEffect(() => {
    if (wanted !== undefined && oldest !== undefined && oldest > wanted && !isEnd) load()
  }, [wanted, oldest, isEnd])
  useEffect(() => {
    if (isLoaded) document.getElementById(hash)?.scrollIntoView({ block: 'center' })
  }, [hash, isLoaded])
  return isLoaded ? hash : undefined
}

/** Below this width the chat is over the page, not beside it. */
const isOverPage = () => !globalThis.matchMedia('(width >= 1200px)').matches

/** Closes a chat that is over the page when the user starts to write there. */
function useRoomForComposers(onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    const look = ({ target }: FocusEvent) => {
      const isField = (target as Element).matches('main :is(textarea, input, [contenteditable=true])')
      if (isField && isOverPage()) close()
    }
    document.addEventListener('focusin', look)
    return () => document.removeEventListener('focusin', look)
  }, [])
}
