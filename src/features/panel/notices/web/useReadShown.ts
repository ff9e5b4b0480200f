import { useEffect, useEffectEvent } from 'react'
import { notices, type Notice, type UnreadRecord } from '#features/panel/notices/contract.ts'
import { useSend } from '#web/api/useSend.ts'
import { shownRecords, useShownRecords, type ShownRecord } from '#web/record/shownRecords.ts'

/** Time after which a record that is passed on a walk through a list counts as opened. */
const openedAfterMs = 800

/** ID of the last notice that was read because its record is on the screen. */
const readUpTo = new WeakMap<ShownRecord, number>()

type About = Pick<UnreadRecord, 'record_type' | 'record_id'>
const isAbout = ({ type, id }: ShownRecord, { record_type, record_id }: About) =>
  type === record_type && id === record_id

/** Leaves a notice unread although its record is on the screen, until the record is opened again. */
export function leaveUnread({ id, ...about }: About & Pick<Notice, 'id'>): void {
  for (const record of shownRecords())
    if (isAbout(record, about)) readUpTo.set(record, Math.max(id, readUpTo.get(record) ?? 0))
}

/** Returns the records on the screen about which there are notices to read, each with the newest of them. */
const findSeen = (shown: readonly ShownRecord[], unread: readonly UnreadRecord[]) =>
  shown.flatMap((record) => {
    const about = unread.find((one) => isAbout(record, one))
    return about && about.newest > (readUpTo.get(record) ?? 0) ? [{ record, id: about.newest }] : []
  })

/** Marks the viewer's notices about the records on the screen as read: when they open, and when new ones arrive. */
export function useReadShown(unread: readonly UnreadRecord[]): void {
  const shown = useShownRecords()
  const { send } = useSend(notices.read, { failure: 'throw' })
  const markRead = useEffectEvent((id: number) => {
    // A notice that can't be marked stays unread.
    send({ params: { id }, body: { read: true, older: true } }).catch(() => {})
  })
  useEffect(() => {
    if (findSeen(shown, unread).length === 0) return
    const mark = () => {
      if (document.visibilityState === 'hidden') return
      for (const { record, id } of findSeen(shown, unread)) {
        readUpTo.set(record, id)
        markRead(id)
      }
    }
    const timer = setTimeout(mark, openedAfterMs)
    document.addEventListener('visibilitychange', mark)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', mark)
    }
  }, [shown, unread])
}
