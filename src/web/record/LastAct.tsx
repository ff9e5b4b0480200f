import { useLastAct, useUndo } from '#web/record/useUndo.ts'
import links from '#web/parts/link.module.css'
import classes from '#web/record/record.module.css'

/**
 * The viewer's last action, with Undo or Redo. Unlike a toast, which disappears after two and a half seconds,
 * it stays.
 */
export function LastAct({ refresh }: { refresh: readonly { path: string }[] }) {
  const act = useLastAct()
  const { undo, redo, busy } = useUndo(refresh)
  if (!act) return null
  const { id, summary } = act.operation
  return (
    <span className={classes.lastAct}>
      <span>{act.undone ? `Undone: ${summary}` : summary}</span>
      <button
        type="button"
        className={links.link}
        disabled={busy}
        onClick={() => (act.undone ? redo(id) : undo(id))}
      >
        {act.undone ? 'Redo' : 'Undo'}
      </button>
    </span>
  )
}
