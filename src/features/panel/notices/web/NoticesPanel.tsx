import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Checkbox } from '@mantine/core'
import { notices } from '#features/panel/notices/contract.ts'
import { MoreNotices, NoticeRow, useNotices } from '#features/panel/notices/web/NoticeRow.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { RowAction } from '#web/list/cells.tsx'
import { EmptyState, Loaded } from '#web/list/states.tsx'
import { toast } from '#web/message/toast.ts'
import { PanelPopup, PanelRows } from '#web/parts/PanelPopup.tsx'
import type { MenuAt } from '#web/parts/useMenuButton.ts'

/** What others did that concerns the viewer. */
export default function NoticesPanel({ at, unread }: { at: MenuAt; unread: number }) {
  return at.opened ? <OpenPanel at={at} unread={unread} /> : null
}

function OpenPanel({ at, unread }: { at: MenuAt; unread: number }) {
  const [tab, setTab] = useState<'Unread' | 'All'>('Unread')
  const unreadOnly = tab === 'Unread' ? 1 : 0
  const query = useNotices({ unread: unreadOnly, grouped: 1 })
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
                <NoticeRow
                  key={`${notice.record_type} ${notice.record_id}`}
                  notice={notice}
                  unread={unreadOnly}
                />
              ))}
            </PanelRows>
          )
        }
      </Loaded>
      <MoreNotices query={query} />
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
