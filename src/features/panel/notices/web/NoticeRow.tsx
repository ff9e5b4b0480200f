import { useState, type ReactNode } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Button } from '@mantine/core'
import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import IconMailDown from '@tabler/icons-react/dist/esm/icons/IconMailDown.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import IconStar from '@tabler/icons-react/dist/esm/icons/IconStar.mjs'
import IconUserCheck from '@tabler/icons-react/dist/esm/icons/IconUserCheck.mjs'
import IconAt from '@tabler/icons-react/dist/esm/icons/IconAt.mjs'
import { notices, type Notice } from '#features/panel/notices/contract.ts'
import { addressOfNotice } from '#features/panel/notices/web/noticeAddress.ts'
import { leaveUnread } from '#features/panel/notices/web/useReadShown.ts'
import { keyOf, request } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { RowAction } from '#web/list/cells.tsx'
import { Loaded, LoadingState } from '#web/list/states.tsx'
import { toast } from '#web/message/toast.ts'
import { refetchedBy } from '#web/api/refetch.ts'
import { Moment } from '#web/Moment.tsx'
import { PanelRow, PanelRows } from '#web/parts/PanelPopup.tsx'
import { useViewer } from '#web/session.ts'

type Which = { unread: 0 | 1 } & ({ grouped: 1 } | { older_than: number })

/** Returns a query of the viewer's notices: the newest one about each record, or the older ones about a record. */
export const useNotices = (which: Which) =>
  useInfiniteQuery({
    queryKey: [...keyOf(notices.list), 'pages', which],
    queryFn: ({ pageParam, signal }) =>
      request(notices.list, { query: { ...which, ...(pageParam && { before: pageParam }) } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ data, more }) => (more ? data.at(-1)?.id : undefined),
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    staleTime: 0,
    meta: refetchedBy(notices.list),
  })

export const MoreNotices = ({ query }: { query: ReturnType<typeof useNotices> }) =>
  query.hasNextPage && (
    <Button
      variant="default"
      size="xs"
      fullWidth
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      Load more
    </Button>
  )

const icons: Record<Notice['kind'], ReactNode> = {
  mention: <IconAt size={16} aria-hidden />,
  email_failed: <IconAlertCircle size={16} aria-hidden />,
  email_received: <IconMailDown size={16} aria-hidden />,
  assigned: <IconUserCheck size={16} aria-hidden />,
  followed: <IconEye size={16} aria-hidden />,
  snooze_ended: <IconClock size={16} aria-hidden />,
  target_due: <IconClock size={16} aria-hidden />,
  rated: <IconStar size={16} aria-hidden />,
}

const wordsOf = ({ kind, who, words }: Notice) =>
  kind === 'mention' ? `${who} mentioned you: ${words}` : words

interface Props {
  notice: Notice
  /** Whether only unread notices are shown. */
  unread: 0 | 1
}

/** The newest notice about a record, and a button for the older ones. */
export function NoticeRow({ notice, unread }: Props) {
  const { id, kind, title, created_at, read_at, muted, older } = notice
  const [isOpen, setOpen] = useState(false)
  const { to, open } = useTarget(notice)
  const { mark, marking } = useMark(notice)
  const { send: mute, sending: muting } = useSend(notices.mute)
  const setMuted = async (now: boolean) => {
    const reply = await mute({ params: { id }, body: { muted: now } })
    if (reply) toast.success(reply.message, { undo: { label: 'Undo', onUndo: () => void setMuted(!now) } })
  }
  const isUnread = read_at === null
  return (
    <PanelRow
      icon={icons[kind]}
      title={title}
      when={<Moment at={created_at} />}
      note={wordsOf(notice)}
      isUnread={isUnread}
      to={to}
      onOpen={() => {
        if (isUnread) mark(true)
        open()
      }}
      acts={
        <>
          {older > 0 && (
            <RowAction
              aria-expanded={isOpen}
              aria-label={`${older} more: ${title}`}
              onClick={() => setOpen(!isOpen)}
            >
              {`${older} more`}
            </RowAction>
          )}
          <MarkButton isUnread={isUnread} name={title} disabled={marking} onMark={mark} />
          <RowAction
            disabled={muting}
            aria-label={`${muted ? 'Unmute' : 'Mute'}: ${title}`}
            onClick={() => void setMuted(!muted)}
          >
            {muted ? 'Unmute' : 'Mute'}
          </RowAction>
        </>
      }
      below={isOpen && older > 0 && <OlderNotices id={id} unread={unread} />}
    />
  )
}

/** The notices about a record that are older than its newest one. */
function OlderNotices({ id, unread }: Pick<Notice, 'id'> & Pick<Props, 'unread'>) {
  const query = useNotices({ unread, older_than: id })
  return (
    <>
      <Loaded query={query} what="Notices" skeleton={<LoadingState rows={1} />}>
        {(data) => (
          <PanelRows>
            {data.map((notice) => (
              <OlderRow key={notice.id} notice={notice} />
            ))}
          </PanelRows>
        )}
      </Loaded>
      <MoreNotices query={query} />
    </>
  )
}

/** A notice below the newest one about its record, whose name it leaves out. */
function OlderRow({ notice }: { notice: Notice }) {
  const { kind, created_at, read_at } = notice
  const { to, open } = useTarget(notice)
  const { mark, marking } = useMark(notice)
  const isUnread = read_at === null
  const words = wordsOf(notice)
  return (
    <PanelRow
      icon={icons[kind]}
      title={words}
      when={<Moment at={created_at} />}
      isUnread={isUnread}
      to={to}
      onOpen={() => {
        if (isUnread) mark(true)
        open()
      }}
      acts={<MarkButton isUnread={isUnread} name={words} disabled={marking} onMark={mark} />}
    />
  )
}

interface MarkProps {
  isUnread: boolean
  name: string
  disabled: boolean
  onMark: (read: boolean) => void
}

const MarkButton = ({ isUnread, name, disabled, onMark }: MarkProps) => (
  <RowAction
    disabled={disabled}
    aria-label={`Mark as ${isUnread ? 'read' : 'unread'}: ${name}`}
    onClick={() => onMark(isUnread)}
  >
    {isUnread ? 'Mark as read' : 'Mark as unread'}
  </RowAction>
)

/** Returns what marks a notice; with the newest one about a record, the older ones are read, too. */
function useMark(notice: Notice) {
  const { id, older } = notice
  const { send, sending } = useSend(notices.read)
  const mark = (read: boolean) => {
    if (!read) leaveUnread(notice)
    void send({ params: { id }, body: { read, older: read && older > 0 } })
  }
  return { mark, marking: sending }
}

/** Returns the address of what a notice is about, and a function that opens it. */
function useTarget(notice: Notice): { to: string; open: () => void } {
  const navigate = useNavigate()
  const to = addressOfNotice(notice, useViewer())
  const { record_type, record_id, anchor } = notice
  // Task Details and the chat open over the page where the user is.
  if (record_type === 'task' || record_type === 'designer_task')
    return {
      to,
      open: () =>
        void navigate({ to: '.', search: (now: object) => ({ ...now, task: record_id }), hash: anchor }),
    }
  if (record_type === 'chat')
    return { to, open: () => void navigate({ to: '.', search: true, hash: anchor } as never) }
  return { to, open: () => void navigate({ to }) }
}
