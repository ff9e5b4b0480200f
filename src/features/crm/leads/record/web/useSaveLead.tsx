import { lazy, Suspense, useState, type ReactNode } from 'react'
import { leads, type Clash, type Lead } from '#features/crm/leads/contract.ts'
import type { NewLead } from '#features/crm/leads/input.contract.ts'
import { refreshedByLead } from '#features/crm/leads/cells/web/showInList.ts'
import { ApiError } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { loadChunk } from '#web/shell/lazy.tsx'

const ConflictDialog = lazy(() => loadChunk(() => import('#features/crm/leads/record/web/ConflictDialog.tsx')))

interface Question {
  clashes: readonly Clash[]
  answer: (theirs: readonly string[] | undefined) => void
}

/**
 * Saves what a person changed of a lead as he found it. What somebody else changed meanwhile is merged;
 * where both changed the same field, the dialog asks which value stays, as often as it is needed.
 * `outdated` are fields of a draft that were typed over what somebody else changed before the lead was found.
 */
export function useSaveLead(found: Lead): { save: (changes: Partial<NewLead>, outdated?: readonly string[]) => Promise<void>; dialog: ReactNode } {
  const { send } = useSend(leads.update, { refresh: refreshedByLead, failure: 'throw' })
  const [question, setQuestion] = useState<Question>()

  /** The changes without those that the person gives up; undefined when he goes on editing. */
  async function ask(changes: Record<string, unknown>, clashes: Clash[]): Promise<Record<string, unknown> | undefined> {
    const theirs = await new Promise<readonly string[] | undefined>((answer) => setQuestion({ clashes, answer }))
    setQuestion(undefined)
    return theirs && Object.fromEntries(Object.entries(changes).filter(([field]) => !theirs.includes(field)))
  }

  async function save(changes: Partial<NewLead>, outdated: readonly string[] = []): Promise<void> {
    let seen = found
    let left: Record<string, unknown> | undefined = changes
    const stored = found as unknown as Record<string, unknown>
    const typedOver = outdated.filter((field) => field in changes).map((field) => ({ field, yours: left![field], theirs: stored[field] }))
    if (typedOver.length) left = await ask(left, typedOver)
    if (!left) throw new ApiError(409, { message: 'Somebody changed this lead after you typed this.' })
    while (Object.keys(left).length) {
      const held = seen as unknown as Record<string, unknown>
      const base = Object.fromEntries(Object.keys(left).map((field) => [field, held[field]]))
      try {
        await send({ body: { ...left, lead_id: found.lead_id, version: seen.version, base } })
        return
      } catch (error) {
        const clashes = clashesOf(error)
        if (!clashes) throw error
        left = await ask(left, clashes)
        if (!left) throw error
        seen = (error as ApiError).current as Lead
      }
    }
  }

  const dialog = question && (
    <Suspense>
      <ConflictDialog company={found.companyName} clashes={question.clashes} onChosen={question.answer} />
    </Suspense>
  )
  return { save, dialog }
}

function clashesOf(error: unknown): Clash[] | undefined {
  return error instanceof ApiError && error.status === 409 && Array.isArray(error.clashes) && error.clashes.length ? (error.clashes as Clash[]) : undefined
}
