import { useState } from 'react'
import { Button } from '@mantine/core'
import { itemsOf, type StreamEntry, type StreamItem } from '#web/stream/entries.ts'
import { Entry } from '#web/stream/Entry.tsx'
import { useStreamPlace } from '#web/stream/useStreamPlace.ts'
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
  older?: Older | undefined
  /** Whether the stream is as high as its entries instead of scrolling on its own. */
  isInPage?: boolean
}

/** Messages, notes, and changes in order of time, grouped by day. */
export function Stream({ label, entries, unread, older, isInPage }: Props) {
  const items = itemsOf(entries, unread, useToday())
  const place = useStreamPlace(unread)
  return (
    <section
      ref={isInPage ? undefined : place}
      className={isInPage ? undefined : classes.scroll}
      aria-label={label}
      tabIndex={isInPage ? undefined : 0}
    >
      {older && (
        <Button
          className={classes.older}
          size="xs"
          variant="default"
          loading={older.isLoading}
          onClick={older.load}
        >
          {older.label}
        </Button>
      )}
      <ol className={classes.stream}>
        {withHeadings(items).map(({ heading, item }) => (
          <li key={item.kind === 'entry' ? item.entry.id : item.id} className={classes.place}>
            {heading && (
              <h2 className={classes.day} data-unread={heading.isNew || undefined}>
                <span>{heading.words}</span>
              </h2>
            )}
            {item.kind === 'entry' && <Entry entry={item.entry} />}
            {item.kind === 'changes' && <Changes entries={item.entries} />}
          </li>
        ))}
      </ol>
    </section>
  )
}

type Heading = Extract<StreamItem, { kind: 'day' }>

/** Returns the entries, each with the heading above it. */
function withHeadings(items: readonly StreamItem[]) {
  const result: { heading: Heading | undefined; item: Exclude<StreamItem, Heading> }[] = []
  let heading: Heading | undefined
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
