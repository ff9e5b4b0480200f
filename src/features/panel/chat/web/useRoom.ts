import { useEffect, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { channel, chat, messagesAtOnce, sentEvent, type ChatMessage } from '#features/panel/chat/contract.ts'
import { request } from '#web/api/client.ts'
import { CatchUp } from '#features/panel/chat/web/catchUp.ts'
import { listen } from '#web/live.ts'

interface Loaded {
  /** In id order. */
  messages: readonly ChatMessage[]
  /** Whether no earlier messages exist, because fewer than ten were returned (A §4). */
  isEnd: boolean
  /** No message is missing between the first loaded message and this ID. */
  knownTo: number
}

const key = ['chat-room']
const missedAtOnce = 100

const mergeById = (one: readonly ChatMessage[], other: readonly ChatMessage[]): ChatMessage[] => {
  const byId = new Map([...one, ...other].map((message) => [message.id, message]))
  return [...byId.values()].toSorted((a, b) => a.id - b.id)
}

/**
 * Returns the room's messages: the last ten, older ones loaded by ID, new ones as they arrive, and those
 * missed while disconnected.
 */
export function useRoom() {
  const queries = useQueryClient()
  const [loadingOlder, setLoadingOlder] = useState(false)
  const query = useQuery<Loaded>({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const { data } = await request(chat.list, { query: { limit: messagesAtOnce } }, { signal })
      const known = queries.getQueryData<Loaded>(key)
      return {
        messages: mergeById(known?.messages ?? [], data),
        isEnd: known?.isEnd ?? data.length < messagesAtOnce,
        knownTo: known?.knownTo ?? data[0]?.id ?? 0,
      }
    },
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })

  const add = (messages: readonly ChatMessage[], more: Partial<Loaded> = {}): void => {
    queries.setQueryData<Loaded>(
      key,
      (now) => now && { ...now, ...more, messages: mergeById(now.messages, messages) },
    )
  }

  async function loadOlder(limit: number = messagesAtOnce): Promise<void> {
    const oldest = query.data?.messages[0]
    if (!oldest || loadingOlder) return
    setLoadingOlder(true)
    try {
      const { data } = await request(chat.list, { query: { limit, id: oldest.id } })
      add(data, { isEnd: data.length < limit })
    } finally {
      setLoadingOlder(false)
    }
  }

  const [catchUp] = useState(
    () =>
      new CatchUp<ChatMessage>({
        read: async (after) => {
          const { data } = await request(chat.list, { query: { after, limit: missedAtOnce } })
          return { messages: data, isAll: data.length < missedAtOnce }
        },
        show: (messages, knownTo) => add(messages, { knownTo }),
      }),
  )
  const isLoaded = query.data !== undefined
  useEffect(() => {
    const loaded = queries.getQueryData<Loaded>(key)
    if (isLoaded && loaded) catchUp.setInitial(loaded.knownTo)
  }, [isLoaded, queries, catchUp])
  useEffect(() => {
    const stop = listen(
      `private-${channel}`,
      sentEvent,
      (message: ChatMessage) => catchUp.receive(message),
      (isJoined) => catchUp.setJoined(isJoined),
    )
    return () => {
      stop()
      catchUp.setJoined(false)
    }
  }, [catchUp])

  return {
    messages: query.data?.messages,
    isEnd: query.data?.isEnd ?? false,
    error: query.error,
    retry: () => void query.refetch(),
    loadOlder,
    loadingOlder,
    add,
  }
}
