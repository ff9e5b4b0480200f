import { useState } from 'react'
import { Button } from '@mantine/core'
import { itemsOf, type StreamEntry, type StreamItem } from '#web/stream/entries.ts'
import { Entry } from '#web/stream/Entry.tsx'
import { useTarget } from '#web/stream/useTarget.ts'
import { useStreamPlace } from '#web/stream/useStreamPlace.ts'
import { useRecentItems } from '#web/stream/useRecentItems.ts'
import classes from '#web/stream/stream.module.css'
import { useToday } from '#web/time.ts'

/** Older entries that can be loaded. */
export interface Older {
  label: string
  isLoading: boolean
  load: () => void
}

interface Props {
  label: string
  entries: readonly StreamEntry[]
  /** ID of the first entry that the viewer has not read; the stream opens there, otherwise at its end. */
  unread?: string | undefined
  /** When the viewer wrote their last entry: a later one comes into view. */
  ownAt?: string | undefined
  older?: Older | undefined
  /** Whether the stream is as high as its entries instead of scrolling on its own. */
  isInPage?: boolean
  isNewestFirst?: boolean
  /** Whether many changes in a row are folded; true by default. */
  folds?: boolean
}

/** Messages, notes, and changes in order of time, grouped by day. */
export function Stream({
  label,
  entries,
  unread,
  ownAt,
  older,
  isInPage,
  isNewestFirst = false,
  folds = true,
}: Props) {
  const items = itemsOf(entries, useToday(), { unread, isNewestFirst, folds })
  const target = useTarget(entries)
  const place = useStreamPlace(target ?? unread, ownAt)
  const lines = withHeadings(items)
  const { showMore, edge, ...recent } = useRecentItems(
    lines,
    lines.findIndex(({ item }) => item.kind === 'entry' && item.entry.id === (target ?? unread)),
    target,
  )
  // A stream in a page loads few entries at a time, and doesn't scroll separately.
  const { shown, hidden } = isInPage ? { shown: lines, hidden: 0 } : recent
  // In a page, the stream is below another heading.
  const Heading = isInPage ? 'h3' : 'h2'
  return (
    <section
      ref={isInPage ? undefined : place}
      className={isInPage ? undefined : classes.scroll}
      aria-label={label}
      tabIndex={isInPage ? undefined : 0}
    >
      {hidden > 0 && (
        // The key makes a new button for each step, which is then observed.
        <Button
          key={hidden}
          ref={edge}
          className={classes.older}
          size="xs"
          variant="default"
          onClick={() => showMore()}
        >
          {`Show older messages (${hidden})`}
        </Button>
      )}
      {!isNewestFirst && older && hidden === 0 && <LoadOlder {...older} />}
      <ol className={classes.stream}>
        {shown.map(({ heading, item }) => (
          <li key={item.kind === 'entry' ? item.entry.id : item.id} className={classes.place}>
            {heading && (
              <Heading className={classes.day} data-unread={heading.isNew || undefined}>
                <span>{heading.words}</span>
              </Heading>
            )}
            {item.kind === 'entry' && <Entry entry={item.entry} isTarget={item.entry.id === target} />}
            {item.kind === 'changes' && <Changes entries={item.entries} />}
          </li>
        ))}
      </ol>
      {isNewestFirst && older && <LoadOlder {...older} />}
    </section>
  )
}

const LoadOlder = ({ label, isLoading, load }: Older) => (
  <Button className={classes.older} size="xs" variant="default" loading={isLoading} onClick={load}>
    {label}
  </Button>
)

type DayHeading = Extract<StreamItem, { kind: 'day' }>

/** Returns the entries, each with the heading above it. */
function withHeadings(items: readonly StreamItem[]) {
  const result: { heading: DayHeading | undefined; item: Exclude<StreamItem, DayHeading> }[] = []
  let heading: DayHeading | undefined
  for (const item of items) {
    if (item.kind === 'day') {
      heading = item
      continue
    }
    result.push({ heading, item })
    heading = undefined
  }
  return result
}

/** Changes in a row, folded into one line. */
function Changes({ entries }: { entries: readonly StreamEntry[] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={classes.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {`${entries.length} changes`}
      </button>
      {isOpen && entries.map((entry) => <Entry key={entry.id} entry={entry} />)}
    </>
  )
}
