import { drafts, largestDraft, longDraft } from '#shared/drafts.ts'
import { requestUntyped } from '#web/api/client.ts'
import { draftPrefix, personalKey } from '#web/session.ts'

export interface Draft {
  values: Record<string, unknown>
  /** Stored values of the same fields at the time the input was entered. */
  over?: Record<string, unknown>
  /** When the input was entered, in milliseconds. */
  at: number
  /** The text was brought here from another form just now, so that nothing is restored. */
  isBrought?: true
  /**
   * The draft is too long for the browser to store: the server has it (`readLongDraft`), and this entry is
   * only a marker.
   */
  onServer?: true
}

/** Returns the names of the viewer's drafts that begin with a text. */
export const draftNames = (start: string): string[] =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(draftPrefix + start))
    .map((key) => key.slice(draftPrefix.length, key.lastIndexOf(':')))
    .filter((name) => keyOf(name) in localStorage)

const maxAgeMs = 14 * 24 * 60 * 60 * 1000

/** Returns the input that the viewer left in a form without saving or discarding it. */
export function readDraft(form: string): Draft | undefined {
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(keyOf(form)) ?? 'null')
    return isDraft(draft) && Date.now() - draft.at < maxAgeMs ? draft : undefined
  } catch {
    return undefined
  }
}

/** Stores the input of a form; returns whether the browser stored it, or the server does. */
export function keepDraft(form: string, values: object, baseValues: object, isBrought = false): boolean {
  const draft = { values, over: baseValues, at: Date.now(), ...(isBrought && { isBrought }) }
  const text = JSON.stringify(draft)
  const isLong = text.length > longDraft
  let isStored = true
  try {
    localStorage.setItem(
      keyOf(form),
      isLong ? JSON.stringify({ values: {}, at: draft.at, onServer: true }) : text,
    )
  } catch {
    // Storage is full; the form works without its draft.
    isStored = false
  }
  if (isLong && text.length < largestDraft) sendLater(form, draft)
  else forgetLong(form)
  tellChanged()
  return isStored && (!isLong || text.length < largestDraft)
}

export function dropDraft(form: string): void {
  const wasLong = readDraft(form)?.onServer
  localStorage.removeItem(keyOf(form))
  forgetLong(form)
  tellChanged()
  if (wasLong) void send(form, null)
}

const watchers = new Set<() => void>()
const tellChanged = () => watchers.forEach((watcher) => watcher())

/** Registers a callback for every draft that is stored or deleted, in another tab too. */
export function watchDrafts(watcher: () => void): () => void {
  watchers.add(watcher)
  globalThis.addEventListener('storage', watcher)
  return () => {
    watchers.delete(watcher)
    globalThis.removeEventListener('storage', watcher)
  }
}

/** Fetches a draft that is stored on the server, as indicated by `readDraft`. */
export async function readLongDraft(form: string): Promise<Draft | undefined> {
  const { data } = (await requestUntyped(drafts.read, { params: { name: serverName(form) } })) as {
    data: Draft | null
  }
  return data ?? undefined
}

const longDelayMs = 1500
/** Newest unsent draft for each form. */
const waiting = new Map<string, { draft: object; timer: ReturnType<typeof setTimeout> }>()

/**
 * Sends a long draft after a delay, because typing changes it every half second; it is sent immediately when
 * the page is hidden.
 */
function sendLater(form: string, draft: object): void {
  forgetLong(form)
  waiting.set(form, { draft, timer: setTimeout(() => flush(form), longDelayMs) })
}

function forgetLong(form: string): void {
  clearTimeout(waiting.get(form)?.timer)
  waiting.delete(form)
}

function flush(form: string): void {
  const held = waiting.get(form)
  forgetLong(form)
  if (held) void send(form, held.draft)
}

const keepers = new Set<() => void>()

/**
 * Registers a callback for when the page is hidden, which also happens before its tab is closed, so that
 * pending input is kept.
 */
export function whenHidden(keep: () => void): () => void {
  keepers.add(keep)
  return () => void keepers.delete(keep)
}

/** Stores the pending input of all forms. */
export function keepDraftsNow(): void {
  for (const keep of keepers) keep()
}

globalThis.document?.addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'hidden') return
  keepDraftsNow()
  for (const form of waiting.keys()) flush(form)
})

/** Sends a draft to the server. Failures are not reported, because the form works without its draft. */
const send = (form: string, draft: object | null): Promise<unknown> =>
  requestUntyped(
    drafts.keep,
    { params: { name: serverName(form) }, body: { draft } },
    { outsideSession: true },
  ).catch(() => {})

const serverName = (form: string) => form.replaceAll(/[^\w:.-]/g, '_').slice(0, 200)

const openForms = new Map<string, Set<(values: object) => void>>()

/**
 * Registers a callback that runs when a form with this name is saved after it was closed. If the form has
 * been reopened since, it still shows the draft as unsaved.
 */
export function whenSaved(form: string, told: (values: object) => void): () => void {
  const ofForm = openForms.get(form) ?? new Set()
  openForms.set(form, ofForm.add(told))
  return () => {
    ofForm.delete(told)
    if (ofForm.size === 0) openForms.delete(form)
  }
}

export const tellSaved = (form: string, values: object): void =>
  openForms.get(form)?.forEach((told) => told(values))

const keyOf = (form: string) => draftPrefix + personalKey(form)

function isDraft(value: unknown): value is Draft {
  return (
    typeof value === 'object' &&
    value !== null &&
    'values' in value &&
    typeof value.values === 'object' &&
    'at' in value &&
    typeof value.at === 'number'
  )
}
