import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { UseFormReturnType } from '@mantine/form'
import { changedOf } from '#web/form/changedOf.ts'
import { dropDraft, readDraft, readLongDraft, watchDrafts, whenHidden, type Draft } from '#web/form/draft.ts'
import type { InnerState } from '#web/form/inner.ts'
import { readWhole, setAside } from '#web/form/otherDrafts.ts'
import { OwnDraft } from '#web/form/ownDraft.ts'
import { toast } from '#web/message/toast.ts'

const draftDelayMs = 400

/** Input of the same form, for example from another tab, that isn't in the form. */
export interface OtherDraft {
  at: Date
  /** Shows it in the form; the input that the form had becomes the other draft. */
  use: () => Promise<void>
  /** Deletes it. */
  drop: () => void
}

/** The draft of a form. */
export interface KeptDraft<Values extends object> {
  restoredFrom: Date | undefined
  /** Whether the input on screen is stored as the draft. */
  isKept: boolean
  /** Fields of the draft whose stored values others have changed since the draft was entered. */
  outdated: readonly string[]
  other: OtherDraft | undefined
  /** Stores the differences between these values and the stored ones as the draft. */
  keepNow: (values: Values) => void
  /** Shows other values in the form; its input, if there is any, is set aside. */
  replace: (values: Values) => void
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
  const [own, setOwn] = useState(() => new OwnDraft(name))
  if (own.form !== name) setOwn(new OwnDraft(name))
  const { draft, setDraft } = useRestoredDraft(own, initial, fields, inner)
  const { other, replace } = useOtherDraft(own, initial, fields, inner, { draft, setDraft })
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
        const isStored = own.keep(JSON.parse(typed) as object, JSON.parse(over) as object)
        setKept(isStored ? typed : undefined)
      }
    }
    // A form that has just been opened has not restored its draft yet.
    else keep.current = wasChanged.current ? () => own.drop() : undefined
    const timer = setTimeout(() => {
      keep.current?.()
      keep.current = undefined
    }, draftDelayMs)
    return () => clearTimeout(timer)
  }, [own, typed, over, isChanged, keep])

  function keepAs(to: OwnDraft, now: Values): void {
    const changes = changedOf(now, initial)
    // Input that the user has deleted must not return with the draft.
    if (Object.keys(changes).length === 0) to.drop()
    else to.keep(changes, overOf(now, initial, draft))
  }
  useAtEnd(own, (to) => {
    if (inner.flushPendingInput()) keepAs(to, fields.getValues())
    else keep.current?.()
    keep.current = undefined
  })

  /**
   * Deletes the draft, including one that is about to be stored: on a busy machine, the timer that stores it
   * may fire before the page re-renders without the draft.
   */
  function forgetDraft(): void {
    keep.current = undefined
    wasChanged.current = false
    own.drop()
    setDraft(undefined)
  }

  return {
    restoredFrom: draft && !draft.onServer && !draft.isBrought ? new Date(draft.at) : undefined,
    isKept: isChanged && kept === typed && !inner.isLate,
    outdated: Object.keys(typedOver).filter(
      (field) => JSON.stringify(typedOver[field]) !== JSON.stringify(initial[field]),
    ),
    other,
    keepNow: (now) => keepAs(own, now),
    replace,
    forgetDraft,
  }
}

/** Stores input that waits for a pause when the page is hidden and when the form is closed. */
function useAtEnd(own: OwnDraft, keep: (to: OwnDraft) => void): void {
  const keepLast = useEffectEvent(keep)
  useEffect(() => {
    const stop = whenHidden(() => keepLast(own))
    return () => {
      stop()
      keepLast(own)
    }
  }, [own])
}

/**
 * Fills the form with its draft, before anything can be typed. A long one is loaded from the server; what another
 * tab has stored is taken over while the form has nothing else.
 */
function useRestoredDraft<Values extends Record<string, any>>(
  own: OwnDraft,
  initial: Values,
  fields: UseFormReturnType<Values>,
  inner: InnerState,
) {
  const [draft, setDraft] = useState(() => readDraft(own.form))

  // Once, although an effect runs again when the form was hidden while a part of it loaded.
  const isRestored = useRef(false)
  useLayoutEffect(() => {
    if (isRestored.current) return
    isRestored.current = true
    if (draft) fields.setValues(draft.values as Partial<Values>)
    if (!draft?.onServer) own.noteRead(draft, draft?.values)
  })

  const take = useEffectEvent((stored: Draft | undefined, whole: Draft | undefined) => {
    inner.flushPendingInput()
    const typed = changedOf({ ...initial, ...fields.getValues() }, initial)
    if (own.isShown(typed)) {
      own.noteRead(stored, whole?.values)
      setDraft(whole)
      fields.setValues({ ...initial, ...whole?.values })
      return
    }
    // Input entered while the draft was loading takes precedence; the rest is restored.
    const isFirst = !own.isRead
    const clashes = Object.keys(typed).some((field) => whole && field in whole.values)
    if (whole && (clashes || !isFirst)) setAside(own.form, whole.values, whole.over ?? {})
    own.noteRead(stored)
    if (isFirst) {
      setDraft(whole)
      fields.setValues({ ...(whole?.values as Partial<Values>), ...typed })
    } else own.keep(typed, overOf(fields.getValues(), initial, draft))
  })
  useEffect(() => {
    let isHere = true
    const look = async (): Promise<void> => {
      const { news } = own
      if (!news) return
      const { draft: stored } = news
      if (!stored?.onServer) return take(stored, stored)
      // Another tab stores a long draft again and again while the user types there.
      if (own.isRead && document.visibilityState === 'hidden') return
      const whole = await readLongDraft(own.form).catch(() => undefined)
      if (!isHere || !whole || own.news?.draft?.at !== stored.at) return
      // The server doesn’t have the newest yet.
      if (own.isRead && whole.at < stored.at) return
      take(stored, whole)
    }
    const start = () => void look()
    start()
    addEventListener('storage', start)
    addEventListener('focus', start)
    return () => {
      isHere = false
      removeEventListener('storage', start)
      removeEventListener('focus', start)
    }
  }, [own])

  return { draft, setDraft }
}

/** Offers input that was set aside; `replace` sets aside what the form has. */
function useOtherDraft<Values extends Record<string, any>>(
  own: OwnDraft,
  initial: Values,
  fields: UseFormReturnType<Values>,
  inner: InnerState,
  { draft, setDraft }: { draft: Draft | undefined; setDraft: (draft: Draft) => void },
) {
  const name = useSyncExternalStore(watchDrafts, own.findOther)
  function setInputAside(): void {
    inner.flushPendingInput()
    const now = fields.getValues()
    const typed = changedOf(now, initial)
    if (Object.keys(typed).length > 0) setAside(own.form, typed, overOf(now, initial, draft))
  }
  function replace(values: Values): void {
    setInputAside()
    fields.setValues(values)
    fields.clearErrors()
  }
  const other: OtherDraft | undefined =
    name === undefined
      ? undefined
      : {
          at: new Date(readDraft(name)?.at ?? 0),
          drop: () => dropDraft(name),
          use: async () => {
            const whole = await readWhole(name)
            if (!whole) return toast.failure('The other draft can’t be loaded right now. Try again.')
            setInputAside()
            dropDraft(name)
            setDraft(whole)
            fields.setValues({ ...initial, ...whole.values })
          },
        }
  return { other, replace }
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
