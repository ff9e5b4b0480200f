import { useState, type ReactNode } from 'react'
import { Button } from '@mantine/core'
import type { Reply } from '#shared/endpoint.ts'
import { NewNote, records, type RecordEvent, type ReversibleOperation } from '#shared/record.contract.ts'
import type { LiveName, RecordType } from '#shared/records.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { LongTextField } from '#web/form/inputs.tsx'
import { useWarnBeforeLeaving } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { ErrorState } from '#web/list/states.tsx'
import { Panel } from '#web/parts/Panel.tsx'
import { Head } from '#web/parts/Head.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Moment } from '#web/Moment.tsx'
import { EventWords, UndoEntry } from '#web/record/EventWords.tsx'
import type { RecordFields } from '#web/record/fieldWords.ts'
import classes from '#web/record/record.module.css'
import { isAbout, isNote, useTimeline } from '#web/record/useTimeline.ts'
import { useUndo } from '#web/record/useUndo.ts'

/** An event in a record's timeline that is neither a note nor a change, such as an email or a session. */
export interface TimelineEntry {
  id: string
  kind: string
  at: string
  who?: string
  content: ReactNode
  /** The operation that the viewer can undo or redo here. */
  operation?: ReversibleOperation | null
}

interface Props {
  type: RecordType
  id: number
  fields: RecordFields
  /** Events added by the area, such as emails. */
  more?: readonly TimelineEntry[]
  /** Other composers, shown below the note composer. */
  children?: ReactNode
  /** Name under which pages are notified of changes to the record; defaults to its type. */
  live?: LiveName
}

/**
 * Timeline of a record, newest first, with the note composer on top: notes, changes, and the area's own
 * events.
 */
export function Timeline({ type, id, fields, more = [], children, live = type }: Props) {
  const [kind, setKind] = useState('all')
  const { mayRead, notes, history } = useTimeline(type, id, live)
  if (!mayRead) return null
  const events = history.data?.pages.flatMap(({ data }) => data) ?? []
  const happened = [
    ...(notes.data?.data ?? []).map(entryOfNote),
    ...entriesOfChanges(events, fields, more),
    ...more,
  ].toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
  const kinds = [...new Set(happened.map((one) => one.kind))]
  const shown = kind === 'all' ? happened : happened.filter((one) => one.kind === kind)
  return (
    <Panel aria-label="Timeline">
      <Head>
        <h2>Timeline</h2>
        {kinds.length > 1 && <Kinds kinds={['all', ...kinds]} chosen={kind} onChoose={setKind} />}
      </Head>
      <NoteComposer type={type} id={id} />
      {children}
      {(history.error ?? notes.error) && (
        <ErrorState
          error={history.error ?? notes.error}
          onRetry={() =>
            void Promise.all(
              [history, notes].filter(({ isError }) => isError).map(({ refetch }) => refetch()),
            )
          }
        />
      )}
      {history.isSuccess && shown.length === 0 && (
        <Soft>
          {history.data.pages[0]?.hidden
            ? 'You don’t have permission to view the history.'
            : 'No activity yet.'}
        </Soft>
      )}
      <ol className={classes.timeline}>
        {shown.map((one) => (
          <li key={one.id}>
            {one.content}
            <p className={classes.byline}>
              {one.who && `${one.who} · `}
              <Moment at={one.at} />
              {one.operation && (
                <>
                  {' · '}
                  <UndoEntry operation={one.operation} />
                </>
              )}
            </p>
          </li>
        ))}
      </ol>
      {history.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          loading={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          Show older changes
        </Button>
      )}
    </Panel>
  )
}

const entryOfNote = (note: Reply<typeof records.notes>['data'][number]): TimelineEntry => ({
  id: `note-${note.id}`,
  kind: 'Notes',
  at: note.created_at,
  who: note.who,
  operation: note.operation,
  content: <p className={classes.noteBody}>{note.body}</p>,
})

function entriesOfChanges(
  events: readonly RecordEvent[],
  fields: RecordFields,
  more: readonly TimelineEntry[],
): TimelineEntry[] {
  const hasMails = more.some((one) => one.kind === 'Emails')
  return events
    .filter((event) => !(isNote(event) || (hasMails && isAbout(event, 'mail'))))
    .map((event) => ({
      id: `event-${event.id}`,
      kind: 'Changes',
      at: event.at,
      who: event.who,
      operation: event.operation,
      content: <EventWords event={event} fields={fields} />,
    }))
}

function Kinds({
  kinds,
  chosen,
  onChoose,
}: {
  kinds: readonly string[]
  chosen: string
  onChoose: (kind: string) => void
}) {
  return (
    <span className={classes.kinds} role="group" aria-label="Show">
      {kinds.map((one) => (
        <button
          key={one}
          type="button"
          className={classes.kind}
          aria-pressed={chosen === one}
          onClick={() => onChoose(one)}
        >
          {one === 'all' ? 'All' : one}
        </button>
      ))}
    </span>
  )
}

function NoteComposer({ type, id }: { type: RecordType; id: number }) {
  const mayWrite = useMay(records.addNote, { params: { a: type, b: id }, body: { note: '' } })
  return mayWrite ? <NoteForm type={type} id={id} /> : null
}

function NoteForm({ type, id }: { type: RecordType; id: number }) {
  const refresh = [records.notes, records.history]
  const { announceAct } = useUndo(refresh)
  const { send } = useSend(records.addNote, { refresh, failure: 'throw' })
  const form = useDraftForm({
    name: `${type}-note-${id}`,
    initial: { note: '' },
    schema: NewNote,
    onSave: async ({ note }) => {
      const reply = await send({ params: { a: type, b: id }, body: { note } })
      if (reply) announceAct(reply.message, reply.operation)
      // The user may already be typing the next note.
      if (form.fields.getValues().note === note) form.discard()
    },
  })
  useWarnBeforeLeaving(form)
  return (
    <form {...form.formProps} className={classes.newNote} aria-label="New note">
      <LongTextField form={form.fields} name="note" label="Write a note" rows={2} maxLength={10_000} />
      {form.failure && (
        <p role="alert" className={classes.failure}>
          {form.failure}
        </p>
      )}
      <Button type="submit" size="xs" variant="default" loading={form.saving} title="Ctrl+Enter">
        Add note
      </Button>
    </form>
  )
}
