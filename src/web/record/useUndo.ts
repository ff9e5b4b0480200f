import { useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { everything } from '#shared/changed.ts'
import { records, type Operation, type OperationRef } from '#shared/record.contract.ts'
import { refetchShowing } from '#web/api/refetch.ts'
import { useSend } from '#web/api/useSend.ts'
import { toast } from '#web/message/toast.ts'
import { countActs, lastAct, lastUndoable, rememberAct, shownUndoable } from '#web/record/lastActStore.ts'

interface UndoReply {
  message: string
  undone?: number
  redone?: number
  skipped: string[]
  operation: OperationRef
}

/**
 * Shows a toast for an operation with an Undo button, and undoes operations: `const { announceAct } = useUndo()`.
 */
export function useUndo() {
  const queries = useQueryClient()
  const done = (undone: boolean) => (reply: UndoReply) => {
    // If an undo or redo changed nothing, it can still be tried again later.
    const changedNothing = !reply.operation.running && (reply.undone ?? reply.redone) === 0
    const isUndone = changedNothing ? !undone : undone
    rememberAct({ operation: reply.operation, undone: isUndone })
    if (reply.skipped.length) toast.notice(reply.message)
    else toast.success(reply.message)
  }
  const { send: sendUndo, sending: undoing } = useSend(records.undo, { onDone: done(true) })
  const { send: sendRedo, sending: redoing } = useSend(records.redo, { onDone: done(false) })
  const undoAndWait = (id: number): Promise<unknown> => sendUndo({ params: { id } })
  const undo = (id: number) => void undoAndWait(id)
  const redo = (id: number) => void sendRedo({ params: { id } })

  /** Remembers an operation without a toast, for a change that is visible where it was made. */
  function keep(operation: OperationRef | null | undefined): void {
    if (operation) rememberAct({ operation, undone: false })
  }
  function announceAct(message: string, operation: OperationRef | null | undefined): void {
    keep(operation)
    // An operation in the background can be undone once it has finished.
    const isUndoable = operation && !operation.running
    toast.success(message, isUndoable ? { undo: { label: 'Undo', onUndo: () => undo(operation.id) } } : {})
  }
  /** Shows what an operation in the background has changed. */
  function finish({ id, state }: Operation): void {
    const last = lastAct()
    if (last?.operation.id !== id || last.isFinished) return
    refetchShowing(queries, [everything])
    rememberAct({ ...last, undone: state === 'undone', isFinished: true })
  }
  return { undo, undoAndWait, redo, finish, busy: undoing || redoing, announceAct, keep }
}

/**
 * Returns a function that undoes the viewer's last action that isn't undone yet, one further back with each call, but none
 * from before the page was opened, other than the one that the page shows.
 *
 * @param isShown Whether the page shows the last action from before it was opened (`LastAct`).
 */
export function useUndoLast(isShown: boolean): () => void {
  const { undoAndWait } = useUndo()
  const [since] = useState(countActs)
  // A second call waits for the first one, which decides what is next.
  const pending = useRef<Promise<unknown>>(undefined)
  return () => {
    pending.current = (pending.current ?? Promise.resolve()).then(async () => {
      const last = lastUndoable(since) ?? (isShown ? shownUndoable() : undefined)
      if (last) await undoAndWait(last.operation.id)
    })
  }
}
