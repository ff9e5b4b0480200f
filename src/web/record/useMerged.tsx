import { Suspense, useState, type ReactNode } from 'react'
import type { Clash } from '#shared/record.contract.ts'
import { ApiError } from '#web/api/errors.ts'
import type { RecordFields } from '#web/record/fields.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const ConflictDialog = lazyPart(() => import('#web/record/ConflictDialog.tsx'))

interface Question {
  clashes: readonly Clash[]
  answer: (theirs: readonly string[] | undefined) => void
}

/** A record as a person found it. */
interface Found {
  version: number
}

/** What a write sends beside its values: the version that was seen, and what the changed fields held then. */
export interface Seen {
  version: number
  base: Record<string, unknown>
}

interface Merged<Changes> {
  /** Saves with `send` as often as the person is asked which of two values stays; `outdated` are fields of a draft that were typed over what somebody else changed before. */
  save: (changes: Changes, send: (changes: Changes, seen: Seen) => Promise<unknown>, outdated?: readonly string[]) => Promise<void>
  dialog: ReactNode
}

/**
 * Saves what a person changed of a record as they found it. What somebody else changed meanwhile is merged;
 * where both changed the same field, the dialog asks which value stays.
 */
export function useMerged<Changes extends object>(found: Found, name: string, words: RecordFields): Merged<Changes> {
  const [question, setQuestion] = useState<Question>()

  /** The changes without those that the person gives up; undefined when they go on editing. */
  async function ask(changes: object, clashes: readonly Clash[]): Promise<object | undefined> {
    const theirs = await new Promise<readonly string[] | undefined>((answer) => setQuestion({ clashes, answer }))
    setQuestion(undefined)
    return theirs && Object.fromEntries(Object.entries(changes).filter(([field]) => !theirs.includes(field)))
  }

  async function save(changes: Changes, send: (changes: Changes, seen: Seen) => Promise<unknown>, outdated: readonly string[] = []): Promise<void> {
    let seen = found
    let left: object | undefined = changes
    const stored = found as unknown as Record<string, unknown>
    const typedOver = outdated
      .filter((field) => field in changes)
      .map((field) => ({ field, yours: (changes as Record<string, unknown>)[field], theirs: stored[field] }))
    if (typedOver.length) left = await ask(left, typedOver)
    if (!left) throw new ApiError(409, { message: 'Somebody changed this after you typed it.' })
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

/** The fields of what a form sends that differ from what is stored. */
export function changesBetween<Sent extends object>(stored: Sent, next: Sent): Partial<Sent> {
  return Object.fromEntries(
    Object.entries(next).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(stored[field as keyof Sent])),
  ) as Partial<Sent>
}

function clashesOf(error: unknown): Clash[] | undefined {
  return error instanceof ApiError && error.status === 409 && Array.isArray(error.clashes) && error.clashes.length ? (error.clashes as Clash[]) : undefined
}
