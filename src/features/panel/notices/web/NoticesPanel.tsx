import { useState, type ReactNode } from 'react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Button, Checkbox } from '@mantine/core'
import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import IconMailDown from '@tabler/icons-react/dist/esm/icons/IconMailDown.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import IconStar from '@tabler/icons-react/dist/esm/icons/IconStar.mjs'
import IconUserCheck from '@tabler/icons-react/dist/esm/icons/IconUserCheck.mjs'
import IconAt from '@tabler/icons-react/dist/esm/icons/IconAt.mjs'
import { notices, type Notice } from '#features/panel/notices/contract.ts'
import { addressOfNotice } from '#features/panel/notices/web/noticeAddress.ts'
import { keyOf, queryOptionsFor, request } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { RowAction } from '#web/list/cells.tsx'
import { EmptyState, Loaded } from '#web/list/states.tsx'
import { toast } from '#web/message/toast.ts'
import { Moment } from '#web/Moment.tsx'
import { PanelPopup, PanelRow, PanelRows } from '#web/parts/PanelPopup.tsx'
import type { MenuAt } from '#web/parts/useMenuButton.ts'
import { useViewer } from '#web/session.ts'

/** What others did that concerns the viewer. */
export default function NoticesPanel({ at, unread }: { at: MenuAt; unread: number }) {
  return at.opened ? <OpenPanel at={at} unread={unread} /> : null
}

function OpenPanel({ at, unread }: { at: MenuAt; unread: number }) {
  const [tab, setTab] = useState<'Unread' | 'All'>('Unread')
  const query = useNotices(tab === 'Unread' ? 1 : 0)
  const { send: markAll, sending } = useSend(notices.readAll)
  const newest = query.data?.[0]
  return (
    <PanelPopup
      at={at}
      label="Notices"
      tabs={[
        { name: 'Unread', count: unread },
        { name: 'All', count: 0 },
      ]}
      tab={tab}
      onTab={setTab}
      action={
        newest &&
        unread > 0 && (
          <RowAction disabled={sending} onClick={() => void markAll({ body: { id: newest.id } })}>
            Mark all as read
          </RowAction>
        )
      }
      foot={<EmailChoice />}
    >
      <Loaded query={query} what="Notices">
        {(data) =>
          data.length === 0 ? (
            <EmptyState title={tab === 'Unread' ? 'No unread notices' : 'No notices yet'}>
              Notes that mention you, and your replies that weren’t delivered, appear here right away.
            </EmptyState>
          ) : (
            <PanelRows>
              {data.map((notice) => (
                <NoticeRow key={notice.id} notice={notice} />
              ))}
            </PanelRows>
          )
        }
      </Loaded>
      {query.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          fullWidth
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Load more
        </Button>
      )}
    </PanelPopup>
  )
}

/** Whether assignments are emailed to the viewer, too. */
function EmailChoice() {
  const { data } = useQuery(queryOptionsFor(notices.settings))
  const { send, sending } = useSend(notices.setSettings, { onDone: ({ message }) => toast.success(message) })
  return (
    <Checkbox
      size="xs"
      label="Also email me leads and tickets that are assigned to me"
      checked={data?.data.emails_assignments ?? false}
      disabled={!data || sending}
      onChange={({ currentTarget }) => void send({ body: { emails_assignments: currentTarget.checked } })}
    />
  )
}

const useNotices = (unread: 0 | 1) =>
  useInfiniteQuery({
    queryKey: [...keyOf(notices.list), 'pages', unread],
    queryFn: ({ pageParam, signal }) =>
      request(notices.list, { query: { unread, ...(pageParam && { before: pageParam }) } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ data, more }) => (more ? data.at(-1)?.id : undefined),
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    staleTime: 0,
    meta: { shows: notices.list.shows },
  })

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

function NoticeRow({ notice }: { notice: Notice }) {
  const { id, kind, who, title, words, created_at, read_at, muted } = notice
  const { to, open } = useTarget(notice)
  const { send: mark, sending: marking } = useSend(notices.read)
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
      note={kind === 'mention' ? `${who} mentioned you: ${words}` : words}
      isUnread={isUnread}
      to={to}
      onOpen={() => {
        if (isUnread) void mark({ params: { id }, body: { read: true } })
        open()
      }}
      acts={
        <>
          <RowAction
            disabled={marking}
            aria-label={`Mark as ${isUnread ? 'read' : 'unread'}: ${title}`}
            onClick={() => void mark({ params: { id }, body: { read: isUnread } })}
          >
            {isUnread ? 'Mark as read' : 'Mark as unread'}
          </RowAction>
          <RowAction
            disabled={muting}
            aria-label={`${muted ? 'Unmute' : 'Mute'}: ${title}`}
            onClick={() => void setMuted(!muted)}
          >
            {muted ? 'Unmute' : 'Mute'}
          </RowAction>
        </>
      }
    />
  )
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
