import IconAt from '@tabler/icons-react/dist/esm/icons/IconAt.mjs'
import { notices } from '#features/panel/notices/contract.ts'
import { addressOfNotice } from '#features/panel/notices/web/noticeAddress.ts'
import { useSend } from '#web/api/useSend.ts'
import { DayDone } from '#web/dashboard/DayActions.tsx'
import { daySource } from '#web/dashboard/daySource.ts'
import { toast } from '#web/message/toast.ts'

/** Unread mentions of the viewer. `NoticesButton` refetches them when one arrives. */
export const mentionsOfDay = daySource({
  name: 'Mentions',
  icon: IconAt,
  endpoint: notices.list,
  input: () => [{ query: { unread: 1 as const } }],
  read({ data }, { viewer }) {
    const mentions = data.filter(({ kind }) => kind === 'mention')
    return {
      total: mentions.length,
      items: mentions.map((notice) => ({
        key: `notice ${notice.id}`,
        title: `${notice.who} mentioned you`,
        detail: [notice.title, notice.words && `“${notice.words}”`].filter(Boolean).join(' · '),
        when: { since: notice.created_at },
        to: addressOfNotice(notice, viewer),
        actions: <Read id={notice.id} name={`${notice.who} mentioned you`} />,
      })),
    }
  },
})

function Read({ id, name }: { id: number; name: string }) {
  const { send, sending } = useSend(notices.read)
  async function mark(read: boolean): Promise<void> {
    const reply = await send({ params: { id }, body: { read } })
    if (reply && read)
      toast.success(reply.message, { undo: { label: 'Undo', onUndo: () => void mark(false) } })
  }
  return <DayDone name={name} disabled={sending} onDone={() => void mark(true)} />
}
