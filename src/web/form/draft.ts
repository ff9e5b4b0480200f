import { draftPrefix, personalKey } from '#web/session.ts'

export interface Draft {
  values: Record<string, unknown>
  /** What was stored of the same fields when they were typed. */
  over?: Record<string, unknown>
  /** When it was typed, as milliseconds. */
  at: number
}

const maxAgeMs = 14 * 24 * 60 * 60 * 1000

/** What this person typed into a form and neither saved nor discarded. */
export function readDraft(form: string): Draft | undefined {
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(keyOf(form)) ?? 'null')
    return isDraft(draft) && Date.now() - draft.at < maxAgeMs ? draft : undefined
  } catch {
    return undefined
  }
}

export function keepDraft(form: string, values: object, over: object): void {
  try {
    localStorage.setItem(keyOf(form), JSON.stringify({ values, over, at: Date.now() }))
  } catch {
    // Storage is full: the form works without its draft.
  }
}

export const dropDraft = (form: string): void => localStorage.removeItem(keyOf(form))

const openForms = new Map<string, Set<(values: object) => void>>()

/** Calls back when a form of this name was saved that is no longer open: one that was opened meanwhile shows its draft as if nothing had left. */
export function whenSaved(form: string, told: (values: object) => void): () => void {
  const ofForm = openForms.get(form) ?? new Set()
  openForms.set(form, ofForm.add(told))
  return () => {
    ofForm.delete(told)
    if (ofForm.size === 0) openForms.delete(form)
  }
}

export const tellSaved = (form: string, values: object): void => openForms.get(form)?.forEach((told) => told(values))

const keyOf = (form: string) => draftPrefix + personalKey(form)

function isDraft(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && 'values' in value && typeof value.values === 'object' && 'at' in value && typeof value.at === 'number'
}
