import type { RawBuilder } from 'kysely'
import type { UndoDirection } from '#shared/operations.ts'
import type { SkippedRecord } from '#shared/record.contract.ts'
import type { Db } from '#server/db/db.ts'
import type { Row, UndoWriting } from '#server/record/rows.ts'

/* What undo and redo need to know about a record type. */

/** Something that hangs on records `r`. */
export interface Work {
  /** As it is said after “has”, such as `a note`. */
  what: string
  /** SQL for the condition that the record has one that was added after the record was created. */
  exists: RawBuilder<unknown>
}

/** Numbers of records of an undo or redo. */
interface UndoCounts {
  turned: number
  created: number
  since: number
  blocked: number
}

/** Rules for the undo and redo of a record type. */
export interface UndoRules {
  /** Name of a lock that is taken, shared, before rows are locked. */
  sharedLock?: string
  /**
   * SQL over `record_changes c` and the record `r` for the reason why an unchanged record can't be restored
   * to its state before an operation (for a redo, after it); null if nothing prevents it.
   */
  blockedReason?: (way: UndoDirection) => RawBuilder<string | null>
  /** What only records of this type have, and what counts as work on them since they were created. */
  work?: readonly Work[]
  /** Names a skipped record in a response. */
  skipped?: (record: SkippedRecord) => string
  /**
   * Success message; `created` of the records were created by the operation, `since` were changed since, and `blocked` can't
   * be restored.
   */
  message?: (way: UndoDirection, counts: UndoCounts) => string
  /** Message for an operation of which all was undone or redone; undefined if its summary says enough. */
  describe?: (db: Db, operation: number, way: UndoDirection) => Promise<string | undefined>
  /**
   * Called in the transaction of an undo or redo that has changed `from` to `to`; both contain only the
   * fields that changed. Throws (403) if the viewer is not allowed to make this change, in which case nothing
   * is undone or redone.
   */
  after?: (
    writing: UndoWriting,
    id: number,
    change: { from: Row; to: Row; way: 'undo' | 'redo' },
  ) => Promise<void>
}
