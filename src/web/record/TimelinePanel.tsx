import { useState } from 'react'
import IconPin from '@tabler/icons-react/dist/esm/icons/IconPin.mjs'
import type { RecordEvent, ReversibleOperation } from '#shared/record.contract.ts'
import type { RecordType } from '#shared/records.ts'
import { ErrorState } from '#web/list/states.tsx'
import { Panel } from '#web/parts/Panel.tsx'
import { Head } from '#web/parts/Head.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { VisuallyHidden } from '#web/parts/VisuallyHidden.tsx'
import { EventWords, UndoEntry } from '#web/record/EventWords.tsx'
import type { RecordFields } from '#web/record/fieldWords.ts'
import type { TimelineEntry, TimelineProps } from '#web/record/Timeline.tsx'
import { RecordComposer } from '#web/record/RecordComposer.tsx'
import classes from '#web/record/record.module.css'
import { useReceived } from '#web/mail/useReceived.tsx'
import { useNoteEntries } from '#web/record/useNoteEntries.tsx'
import { isAbout, isShown, useTimeline } from '#web/record/useTimeline.ts'
import type { StreamEntry } from '#web/stream/entries.ts'
import { Entry } from '#web/stream/Entry.tsx'
import { Stream } from '#web/stream/Stream.tsx'
import { useTarget } from '#web/stream/useTarget.ts'

type Kind = 'All' | 'Notes' | TimelineEntry['kind'] | 'Changes'

/** Timeline of a record, newest first, below its composer: notes, changes, and the area's own events. */
export function TimelinePanel({
  type,
  id,
  fields,
  more = [],
  shownByMore = [],
  children,
  email,
  tabs,
  afterNote,
  isTitleHidden,
  inDialog,
}: TimelineProps) {
  const [chosen, setChosen] = useState<Kind>('All')
  const { mayRead, notes, history, error, retry, older } = useTimeline(type, id)
  const { pinned, others } = useNoteEntries(type, id, notes.data?.data ?? [])
  const received = useReceived(type, id)
  if (!mayRead) return null
  const events = history.data?.pages.flatMap(({ data }) => data) ?? []
  const byKind = new Map<Kind, StreamEntry[]>([['Notes', others]])
  for (const one of [...more, ...received])
    byKind.set(one.kind, [...(byKind.get(one.kind) ?? []), entryOfEvent(one)])
  const shownFields = ['note', ...shownByMore]
  byKind.set(
    'Changes',
    entriesOfChanges(events, fields, type, { shownFields, hasMails: byKind.has('Emails') }),
  )
  const kinds = [...byKind].filter(([, entries]) => entries.length > 0)
  const shown = byKind.get(chosen) ?? kinds.flatMap(([, entries]) => entries)
  return (
    <Panel aria-label="Timeline">
      {isTitleHidden ? (
        <VisuallyHidden as="h2">Timeline</VisuallyHidden>
      ) : (
        <Head>
          <h2>Timeline</h2>
        </Head>
      )}
      <RecordComposer
        type={type}
        id={id}
        afterNote={afterNote}
        inDialog={inDialog}
        email={email}
        tabs={tabs}
      />
      {children}
      {kinds.length > 1 && <Kinds kinds={kinds} chosen={chosen} onChoose={setChosen} />}
      {error && <ErrorState error={error} onRetry={retry} />}
      {(chosen === 'All' || chosen === 'Notes') && <Pinned entries={pinned} />}
      {history.isSuccess && shown.length === 0 && pinned.length === 0 && (
        <Soft>
          {history.data.pages[0]?.hidden
            ? 'You don’t have permission to view the history.'
            : 'No activity yet.'}
        </Soft>
      )}
      <Stream
        label="Activity"
        entries={shown}
        isInPage
        isNewestFirst
        folds={chosen === 'All' && kinds.length > 1}
        older={older}
      />
    </Panel>
  )
}

/** The pinned notes, above everything else. */
function Pinned({ entries }: { entries: readonly StreamEntry[] }) {
  const target = useTarget(entries)
  if (entries.length === 0) return null
  return (
    <section className={classes.pinned} aria-label="Pinned notes">
      <h3>
        <IconPin size={14} stroke={1.5} aria-hidden />
        Pinned
      </h3>
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} isTarget={entry.id === target} />
      ))}
    </section>
  )
}

const undoOf = (operation: ReversibleOperation | null) => operation && <UndoEntry operation={operation} />

const entryOfEvent = ({ id, at, who = 'System', icon, state, content }: TimelineEntry): StreamEntry => ({
  id,
  kind: 'event',
  at,
  who,
  icon,
  state,
  content,
})

/** Returns the changes that no other entry shows. */
const entriesOfChanges = (
  events: readonly RecordEvent[],
  fields: RecordFields,
  type: RecordType,
  { shownFields, hasMails }: { shownFields: readonly string[]; hasMails: boolean },
): StreamEntry[] =>
  events
    .filter((event) => !(isShown(event, shownFields) || (hasMails && isAbout(event, 'mail'))))
    .map((event) => ({
      id: `event-${event.id}`,
      kind: 'change',
      at: event.at,
      who: event.who,
      state: undoOf(event.operation),
      content: <EventWords event={event} fields={fields} type={type} />,
    }))

interface KindsProps {
  kinds: readonly (readonly [Kind, readonly StreamEntry[]])[]
  chosen: Kind
  onChoose: (kind: Kind) => void
}

/** Buttons that show the entries of one kind. Changes have no count, because older ones load later. */
const Kinds = ({ kinds, chosen, onChoose }: KindsProps) => (
  <span className={classes.kinds} role="group" aria-label="Show">
    {[['All', undefined] as const, ...kinds.map(([kind, { length }]) => [kind, length] as const)].map(
      ([kind, count]) => (
        <button
          key={kind}
          type="button"
          className={classes.kind}
          aria-pressed={chosen === kind}
          onClick={() => onChoose(kind)}
        >
          {kind}
          {count !== undefined && kind !== 'Changes' && ` ${count}`}
        </button>
      ),
    )}
  </span>
)
