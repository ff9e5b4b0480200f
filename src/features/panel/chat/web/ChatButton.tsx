import { Suspense, useEffect, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import IconMessages from '@tabler/icons-react/dist/esm/icons/IconMessages.mjs'
import { useLocalStorage } from '@mantine/hooks'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { channel, chat, chatRecord, sentEvent, words } from '#features/panel/chat/contract.ts'
import { refetchShowing } from '#web/api/refetch.ts'
import { queryTogether } from '#web/api/together.ts'
import { listen, onReconnect } from '#web/live.ts'
import { CountButton } from '#web/parts/CountButton.tsx'
import { personalKey } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const ChatPanel = lazyPart(() => import('#features/panel/chat/web/ChatPanel.tsx'))

interface Props {
  /** Whether the page has loaded. */
  isLoaded: boolean
}

/** Button that opens the chat and shows an unobtrusive count of unread messages. */
export function ChatButton({ isLoaded }: Props) {
  const { isOpen, setOpen } = useOpenChat()
  const queries = useQueryClient()
  const { data } = useQuery({ ...queryTogether(chat.unread), enabled: isLoaded || isOpen })
  useEffect(() => {
    if (!isLoaded) return
    const count = () => refetchShowing(queries, ['chat'])
    const stop = [listen(`private-${channel}`, sentEvent, count), onReconnect(count)]
    return () => stop.forEach((end) => end())
  }, [isLoaded, queries])
  const count = isOpen ? 0 : (data?.count ?? 0)
  return (
    <>
      <CountButton
        label={words.header}
        count={count}
        counted="unread"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <IconMessages size={18} stroke={1.6} aria-hidden />
      </CountButton>
      {isOpen && (
        <Suspense>
          <ChatPanel
            readUpTo={data?.last_read_id}
            isMuted={data?.muted ?? false}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

/**
 * Returns whether the chat is open: for an address such as `#chat-12`, and where it was left open before, which is
 * remembered per user, if it is beside the page.
 */
function useOpenChat() {
  const [kept, keep] = useLocalStorage({
    key: personalKey('chat-open'),
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const [isOpen, setIsOpen] = useState(() => kept && matchMedia('(width >= 1200px)').matches)
  const isNamed = useLocation({ select: ({ hash }) => hash.startsWith(chatRecord.anchorPrefix) })
  const navigate = useNavigate()
  const setOpen = (next: boolean) => {
    setIsOpen(next)
    keep(next)
    if (isNamed) void navigate({ to: '.', search: true, hash: '', replace: true } as never)
  }
  return { isOpen: isOpen || isNamed, setOpen }
}
