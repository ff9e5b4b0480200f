import { isAdminRole } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'

/* Rules for undoing and redoing an operation, shared by the server and the browser (docs/product.md#undo). */

/** Number of records that are changed in one transaction; more are continued in the background. */
export const batchSize = 500

/** Whether an operation is being undone or redone. */
export type UndoDirection = 'undo' | 'redo'

export const operationStates = ['running', 'done', 'failed', 'undoing', 'undone', 'redoing'] as const
type State = (typeof operationStates)[number]

/** Why work in the background stopped before its end: its user lost something that it needs, or it kept failing. */
export const stopReasons = ['account', 'permission', 'product', 'error'] as const
export type StopReason = (typeof stopReasons)[number]

/** Returns a reason as a clause; `who` is the user as whom the work ran. */
export function stopReasonText(reason: StopReason, who: string): string {
  switch (reason) {
    case 'account':
      return `${who} can no longer sign in`
    case 'permission':
      return `${who} no longer has permission for it`
    case 'product':
      return `${who} no longer has access to the product`
    case 'error':
      return 'the server couldn’t save what came next'
  }
}

const whyNot: Record<UndoDirection, Partial<Record<State, string>>> = {
  undo: {
    running: 'This is still in progress.',
    undoing: 'This is already being undone.',
    undone: 'This was already undone.',
    redoing: 'This is being redone.',
  },
  redo: {
    running: 'This is still in progress.',
    done: 'This hasn’t been undone.',
    failed: 'This hasn’t been undone.',
    undoing: 'This is still being undone.',
    redoing: 'This is already being redone.',
  },
}

/**
 * Returns why an operation cannot be undone or redone in its current state; undefined if it can. An operation
 * that was undone can be undone again for records that the undo skipped and that can be restored now
 * (`restorable`).
 */
export const undoRefusalReason = (
  { state }: { state: string },
  way: UndoDirection,
  restorable = 0,
): string | undefined =>
  way === 'undo' && state === 'undone' && restorable > 0 ? undefined : whyNot[way][state as State]

/**
 * Returns whether a viewer is allowed to undo or redo an operation on leads: only its author and users with
 * role 0 or 1 are, and only if they have the permission that the operation requires.
 */
export const mayTurn = (
  { needs, staff_id }: { needs: string; staff_id: number },
  viewer: Pick<Viewer, 'id' | 'role_id' | 'permissions'>,
): boolean =>
  (isAdminRole(viewer.role_id) || staff_id === viewer.id) &&
  (needs === '' || (viewer.permissions as ReadonlySet<string>).has(needs))
