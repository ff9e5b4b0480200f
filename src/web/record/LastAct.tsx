import { Suspense } from 'react'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import { useLastAct } from '#web/record/lastActStore.ts'
import { useUndo, useUndoLast } from '#web/record/useUndo.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import classes from '#web/record/record.module.css'
import { lazyPart } from '#web/shell/lazy.tsx'

const RunningOperation = lazyPart(() => import('#web/record/RunningOperation.tsx'))

/**
 * The viewer's last action, with Undo or Redo. Unlike a toast, which disappears after two and a half seconds,
 * it stays; it shows the progress of a large operation.
 *
 * @param undoKey Whether U undoes it, and the actions before it; other pages have their own key.
 */
export function LastAct({ undoKey = false }: { undoKey?: boolean }) {
  const act = useLastAct()
  const undoLast = useUndoLast(true)
  usePageKeys(undoKey ? { u: undoLast } : {})
  const { undo, redo, finish, busy } = useUndo()
  if (!act) return null
  const { id, summary, running } = act.operation
  const isRunning = running && !act.isFinished
  return (
    <span className={classes.lastAct}>
      <span>{`${isRunning ? 'In progress: ' : act.undone ? 'Undone: ' : ''}${summary}`}</span>
      {running && (
        <Suspense>
          <RunningOperation key={`${id} ${act.undone}`} id={id} onFinished={finish} />
        </Suspense>
      )}
      {!isRunning && (
        <LinkButton disabled={busy} onClick={() => (act.undone ? redo(id) : undo(id))}>
          {act.undone ? 'Redo' : 'Undo'}
        </LinkButton>
      )}
    </span>
  )
}
