import type { ReactNode } from 'react'
import { dayText, plainDate, type PlainDate } from '#shared/dates.ts'
import { weekday } from '#web/calendar/days.ts'

/** An entry of a stream: a message of theirs or ours, an internal note, or a change. */
export interface StreamEntry {
  /** Also the element's ID, so that links can lead to the entry. */
  id: string
  kind: 'theirs' | 'ours' | 'note' | 'change'
  at: string
  who: string
  /** Who that is, such as `Requester`; shown after the name. */
  role?: ReactNode
  /** Picture of the person; changes have none. */
  avatar?: ReactNode
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

/** Returns `Tuesday, 17 Nov`, with the year if it is another one, or `Today`. */
export function dayHeading(day: PlainDate, today: PlainDate): string {
  if (day === today) return 'Today'
  const words = dayText(day)
  return `${weekday(day)}, ${day.slice(0, 4) === today.slice(0, 4) ? words.replace(/ \d{4}$/, '') : words}`
}

/**
 * Returns the entries in order of time, with a heading per day and one above the first unread entry; many
 * changes in a row are folded.
 * @param unread ID of the first entry that the viewer has not read
 */
export function itemsOf(
  entries: readonly StreamEntry[],
  unread: string | undefined,
  today: PlainDate,
): StreamItem[] {
  const sorted = entries.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
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
  return folded(items)
}

function folded(items: readonly StreamItem[]): StreamItem[] {
  const result: StreamItem[] = []
  let row: Extract<StreamItem, { kind: 'entry' }>[] = []
  const close = () => {
    if (row.length < leastFolded) result.push(...row)
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
