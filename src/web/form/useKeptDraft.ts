import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { UseFormReturnType } from '@mantine/form'
import { changedOf } from '#web/form/changedOf.ts'
import { dropDraft, keepDraft, readDraft, readLongDraft, whenHidden, type Draft } from '#web/form/draft.ts'
import type { InnerState } from '#web/form/inner.ts'

const draftDelayMs = 400

/** The draft of a form. */
export interface KeptDraft<Values extends object> {
  restoredFrom: Date | undefined
  /** Whether the input on screen is stored as the draft. */
  isKept: boolean
  /** Fields of the draft whose stored values others have changed since the draft was entered. */
  outdated: readonly string[]
  /** Stores the differences between these values and the stored ones as the draft. */
  keepNow: (values: Values) => void
  /** Deletes the draft. */
  forgetDraft: () => void
}

/** Restores the form's draft, and stores the input in it at each pause, and when the form is closed. */
export function useKeptDraft<Values extends Record<string, any>>(
  name: string,
  initial: Values,
  fields: UseFormReturnType<Values>,
  inner: InnerState,
): KeptDraft<Values> {
  const { draft, setDraft } = useRestoredDraft(name, initial, fields, inner)
  const { values } = fields
  const isChanged = fields.isDirty()
  const typed = JSON.stringify(changedOf(values, initial))
  const typedOver = overOf(values, initial, draft)
  const over = JSON.stringify(typedOver)

  /** Stores the latest input in the draft, if it has not been stored yet. */
  const keep = useRef<() => void>(undefined)
  const wasChanged = useRef(false)
  const [kept, setKept] = useState<string>()
  useEffect(() => {
    if (isChanged) {
      wasChanged.current = true
      keep.current = () => {
        const isStored = keepDraft(name, JSON.parse(typed) as object, JSON.parse(over) as object)
        setKept(isStored ? typed : undefined)
      }
    }
    // A form that has just been opened has not restored its draft yet.
    else keep.current = wasChanged.current ? () => dropDraft(name) : undefined
    const timer = setTimeout(() => {
      keep.current?.()
      keep.current = undefined
    }, draftDelayMs)
    return () => clearTimeout(timer)
  }, [name, typed, over, isChanged, keep])

  function keepAs(form: string, now: Values): void {
    const changes = changedOf(now, initial)
    // Input that the user has deleted must not return with the draft.
    if (Object.keys(changes).length === 0) dropDraft(form)
    else keepDraft(form, changes, overOf(now, initial, draft))
  }
  const keepLast = useEffectEvent((form: string) => {
    if (inner.flushPendingInput()) keepAs(form, fields.getValues())
    else keep.current?.()
    keep.current = undefined
  })
  useEffect(() => {
    const stop = whenHidden(() => keepLast(name))
    return () => {
      stop()
      keepLast(name)
    }
  }, [name])

  /**
   * Deletes the draft, including one that is about to be stored: on a busy machine, the timer that stores it
   * may fire before the page re-renders without the draft.
   */
  function forgetDraft(): void {
    keep.current = undefined
    wasChanged.current = false
    dropDraft(name)
    setDraft(undefined)
  }

  return {
    restoredFrom: draft && !draft.onServer && !draft.isBrought ? new Date(draft.at) : undefined,
    isKept: isChanged && kept === typed && !inner.isLate,
    outdated: Object.keys(typedOver).filter(
      (field) => JSON.stringify(typedOver[field]) !== JSON.stringify(initial[field]),
    ),
    keepNow: (now) => keepAs(name, now),
    forgetDraft,
  }
}

/** Fills the form with its draft; a long one is loaded from the server. */
function useRestoredDraft<Values extends Record<string, any>>(
  name: string,
  initial: Values,
  fields: UseFormReturnType<Values>,
  inner: InnerState,
) {
  const [draft, setDraft] = useState(() => readDraft(name))

  const restore = useEffectEvent(() => {
    if (draft) fields.setValues(draft.values as Partial<Values>)
  })
  useEffect(() => restore(), [])

  const restoreLong = useEffectEvent((found: Draft | undefined) => {
    // Input entered while the draft was loading takes precedence; the rest is restored.
    inner.flushPendingInput()
    setDraft(found)
    if (found) fields.setValues((now) => ({ ...found.values, ...changedOf({ ...initial, ...now }, initial) }))
  })
  const isOnServer = draft?.onServer === true
  useEffect(() => {
    if (!isOnServer) return
    let isHere = true
    readLongDraft(name).then(
      (found) => isHere && restoreLong(found),
      () => {},
    )
    return () => {
      isHere = false
    }
  }, [isOnServer, name])

  return { draft, setDraft }
}

/**
 * Returns the stored values of the fields that differ; for fields restored from a draft, returns the values
 * that were stored when the draft was entered.
 */
function overOf<Values extends Record<string, any>>(
  values: Values,
  initial: Values,
  draft: Draft | undefined,
): Partial<Values> {
  const before: Record<string, unknown> = { ...initial, ...draft?.over }
  return Object.fromEntries(
    Object.keys(changedOf(values, initial)).map((field) => [field, before[field]]),
  ) as Partial<Values>
}
