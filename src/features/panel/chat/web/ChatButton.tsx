import { lazy, Suspense, useEffect, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import IconMessages from '@tabler/icons-react/dist/esm/icons/IconMessages.mjs'
import { channel, chat, sentEvent, words } from '#features/panel/chat/contract.ts'
import classes from '#features/panel/chat/web/ChatButton.module.css'
import { ask, keyOf } from '#web/api/client.ts'
import { listen, onReconnect } from '#web/live.ts'
import { loadChunk } from '#web/shell/lazy.tsx'

const ChatPanel = lazy(() => loadChunk(() => import('#features/panel/chat/web/ChatPanel.tsx')))

/** The page comes first: what is unread is asked when it stands. */
const askAfterMs = 7_000

/** Opens the chat, with a quiet count of what is unread. */
export function ChatButton() {
  const [isOpen, setOpen] = useState(false)
  const isLate = useLater()
  const queries = useQueryClient()
  const { data } = useQuery({ ...ask(chat.unread), enabled: isLate || isOpen })
  useEffect(() => {
    if (!isLate) return
    const count = () => void queries.invalidateQueries({ queryKey: keyOf(chat.unread) })
    const stop = [listen(`private-${channel}`, sentEvent, count), onReconnect(count)]
    return () => stop.forEach((end) => end())
  }, [isLate, queries])
  const count = isOpen ? 0 : (data?.count ?? 0)
  return (
    <>
      <button
        type="button"
        className={classes.button}
        aria-label={count > 0 ? `${words.header}, ${count} unread` : words.header}
        aria-expanded={isOpen}
        title={words.header}
        onClick={() => setOpen(!isOpen)}
      >
        <IconMessages size={18} stroke={1.6} aria-hidden />
        {count > 0 && (
          <span className={classes.count} aria-hidden>
            {count > 99 ? '99+' : count}
          </span>
        )}
      </button>
      {isOpen && (
        <Suspense>
          <ChatPanel readUpTo={data?.last_read_id} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function useLater(): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), askAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return isLate
}
