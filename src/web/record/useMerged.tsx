import { Suspense, useState, type ReactNode } from 'react'
import type { Clash } from '#shared/record.contract.ts'
import { ApiError } from '#web/api/errors.ts'
import type { RecordFields } from '#web/record/fieldWords.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const ConflictDialog = lazyPart(() => import('#web/record/ConflictDialog.tsx'))

interface Question {
  clashes: readonly Clash[]
  answer: (theirs: readonly string[] | undefined) => void
}

/** A record as the user first saw it. */
interface Found {
  version: number
}

/**
 * Sent with the values of a write: the version that the user saw, and the values of the changed fields in
 * that version.
 */
export interface Seen {
  version: number
  base: Record<string, unknown>
}

interface Merged<Changes> {
  /** Saves with `send`, retrying after each conflict that the user resolves; `outdated` lists draft fields that would overwrite someone else's earlier change. */
  save: (
    changes: Changes,
    send: (changes: Changes, seen: Seen) => Promise<unknown>,
    outdated?: readonly string[],
  ) => Promise<void>
  dialog: ReactNode
}

/**
 * Saves a user's changes to a record, based on the version that the user saw. Changes that others have made
 * since are merged; if the same field was changed, a dialog asks which value to keep.
 */
export function useMerged<Changes extends object>(
  found: Found,
  name: string,
  words: RecordFields,
): Merged<Changes> {
  const [question, setQuestion] = useState<Question>()

  /**
   * Asks the user about conflicts; returns the changes, except for those that the user discards, or undefined
   * if the user wants to continue editing.
   */
  async function ask(changes: object, clashes: readonly Clash[]): Promise<object | undefined> {
    const theirs = await new Promise<readonly string[] | undefined>((answer) =>
      setQuestion({ clashes, answer }),
    )
    setQuestion(undefined)
    return theirs && Object.fromEntries(Object.entries(changes).filter(([field]) => !theirs.includes(field)))
  }

  async function save(
    changes: Changes,
    send: (changes: Changes, seen: Seen) => Promise<unknown>,
    outdated: readonly string[] = [],
  ): Promise<void> {
    let seen = found
    let left: object | undefined = changes
    const stored = found as unknown as Record<string, unknown>
    const typedOver = outdated
      .filter((field) => field in changes)
      .map((field) => ({ field, yours: (changes as Record<string, unknown>)[field], theirs: stored[field] }))
    if (typedOver.length) left = await ask(left, typedOver)
    if (!left) throw new ApiError(409, { message: 'Someone else changed this after you started editing.' })
    while (Object.keys(left).length) {
      const held = seen as unknown as Record<string, unknown>
      const base = Object.fromEntries(Object.keys(left).map((field) => [field, held[field]]))
      try {
        await send(left as Changes, { version: seen.version, base })
        return
      } catch (error) {
        const clashes = clashesOf(error)
        if (!clashes) throw error
        left = await ask(left, clashes)
        if (!left) throw error
        seen = (error as ApiError).current as Found
      }
    }
  }

  const dialog = question && (
    <Suspense>
      <ConflictDialog name={name} words={words} clashes={question.clashes} onChosen={question.answer} />
    </Suspense>
  )
  return { save, dialog }
}

function clashesOf(error: unknown): Clash[] | undefined {
  return error instanceof ApiError &&
    error.status === 409 &&
    Array.isArray(error.clashes) &&
    error.clashes.length
    ? (error.clashes as Clash[])
    : undefined
}
