import { useEffect, useEffectEvent, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { channel, chat, messagesAtOnce, sentEvent, type ChatMessage } from '#features/panel/chat/contract.ts'
import { request } from '#web/api/client.ts'
import { listen, onReconnect } from '#web/live.ts'

interface Loaded {
  /** In the order of their ids. */
  messages: readonly ChatMessage[]
  /** There are none before them: fewer than ten came (A §4). */
  isEnd: boolean
}

const key = ['chat-room']
const missedAtOnce = 100

const joined = (one: readonly ChatMessage[], other: readonly ChatMessage[]): ChatMessage[] => {
  const byId = new Map([...one, ...other].map((message) => [message.id, message]))
  return [...byId.values()].toSorted((a, b) => a.id - b.id)
}

/** The messages of the room: the last ten, older ones by their ids, new ones live, and what was missed while the connection was away. */
export function useRoom() {
  const queries = useQueryClient()
  const [loadingOlder, setLoadingOlder] = useState(false)
  const query = useQuery<Loaded>({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const { data } = await request(chat.list, { query: { limit: messagesAtOnce } }, { signal })
      const known = queries.getQueryData<Loaded>(key)
      return { messages: joined(known?.messages ?? [], data), isEnd: known?.isEnd ?? data.length < messagesAtOnce }
    },
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })

  function add(messages: readonly ChatMessage[], isEnd?: boolean): void {
    queries.setQueryData<Loaded>(key, (now) => now && { messages: joined(now.messages, messages), isEnd: isEnd ?? now.isEnd })
  }

  async function loadOlder(): Promise<void> {
    const oldest = query.data?.messages[0]
    if (!oldest || loadingOlder) return
    setLoadingOlder(true)
    try {
      const { data } = await request(chat.list, { query: { limit: messagesAtOnce, id: oldest.id } })
      add(data, data.length < messagesAtOnce)
    } finally {
      setLoadingOlder(false)
    }
  }

  const catchUp = useEffectEvent(async () => {
    for (;;) {
      const last = queries.getQueryData<Loaded>(key)?.messages.at(-1)
      const { data } = await request(chat.list, { query: { after: last?.id ?? 0, limit: missedAtOnce } })
      add(data)
      if (data.length < missedAtOnce) return
    }
  })
  const hear = useEffectEvent((message: ChatMessage) => add([message]))
  useEffect(() => {
    const stop = [listen(`private-${channel}`, sentEvent, (message: ChatMessage) => hear(message)), onReconnect(() => void catchUp().catch(() => {}))]
    // What came while the panel was closed.
    if (queries.getQueryData(key)) void catchUp().catch(() => {})
    return () => stop.forEach((end) => end())
  }, [queries])

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
