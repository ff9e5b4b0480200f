import type { ReactNode } from 'react'
import { plainDate, type PlainDate } from '#shared/dates.ts'
import { dayHeading } from '#web/time.ts'

/**
 * An entry of a stream: a message of theirs or ours, an internal note, something else that happened, such as an
 * email or a session, or a change.
 */
export interface StreamEntry {
  /** Also the element's ID, so that links can lead to the entry. */
  id: string
  kind: 'theirs' | 'ours' | 'note' | 'event' | 'change'
  at: string
  who: string
  /** Who that is, such as `Requester`; shown after the name. */
  role?: ReactNode
  /** Picture of the person; events have an icon instead, and changes have neither. */
  avatar?: ReactNode
  icon?: ReactNode
  /** State of the entry's email, and what can be done about it; shown before the time. */
  state?: ReactNode
  content: ReactNode
}

/** A part of a stream: a heading, an entry, or changes that are folded into one line. */
export type StreamItem =
  | { kind: 'day'; id: string; words: string; isNew: boolean }
  | { kind: 'entry'; entry: StreamEntry; isNew: boolean; day: PlainDate }
  | { kind: 'changes'; id: string; entries: readonly StreamEntry[] }

/** As many changes in a row are folded. */
const leastFolded = 4

interface Order {
  /** ID of the first entry that the viewer has not read. */
  unread?: string | undefined
  /** The newest changes in a row are then not folded. */
  isNewestFirst?: boolean
  /** Whether many changes in a row are folded. */
  folds?: boolean
}

/** Returns the entries in order of time, with a heading per day and one above the first unread entry. */
export function itemsOf(
  entries: readonly StreamEntry[],
  today: PlainDate,
  { unread, isNewestFirst = false, folds = true }: Order = {},
): StreamItem[] {
  const later = isNewestFirst ? -1 : 1
  const sorted = entries.toSorted((a, b) => (a.at < b.at ? -later : a.at > b.at ? later : 0))
  const items: StreamItem[] = []
  let lastDay: PlainDate | undefined
  for (const entry of sorted) {
    const day = plainDate(new Date(entry.at))
    const isNew = entry.id === unread
    if (isNew) items.push({ kind: 'day', id: 'new', words: `${dayHeading(day, today)} · New`, isNew: true })
    else if (day !== lastDay)
      items.push({ kind: 'day', id: day, words: dayHeading(day, today), isNew: false })
    lastDay = day
    items.push({ kind: 'entry', entry, isNew, day })
  }
  return folds ? folded(items, isNewestFirst) : items
}

/** @param keepsFirst whether the first changes in a row stay as they are */
function folded(items: readonly StreamItem[], keepsFirst: boolean): StreamItem[] {
  const result: StreamItem[] = []
  let row: Extract<StreamItem, { kind: 'entry' }>[] = []
  const close = () => {
    const isFirst = result.every(({ kind }) => kind === 'day')
    if (row.length < leastFolded || (keepsFirst && isFirst)) result.push(...row)
    else
      result.push({
        kind: 'changes',
        id: `changes-${row[0]!.entry.id}`,
        entries: row.map(({ entry }) => entry),
      })
    row = []
  }
  for (const item of items) {
    if (item.kind === 'entry' && item.entry.kind === 'change') {
      row.push(item)
      continue
    }
    close()
    result.push(item)
  }
  close()
  return result
}
