import { use, useEffect, useEffectEvent, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { useForm, type UseFormReturnType } from '@mantine/form'
import type { z } from 'zod'
import { ApiError, NotPermitted, errorMessageOf } from '#web/api/errors.ts'
import {
  dropDraft,
  keepDraft,
  readDraft,
  readLongDraft,
  tellSaved,
  whenHidden,
  whenSaved,
  type Draft,
} from '#web/form/draft.ts'
import { errorsOf, firstTexts, placeErrors } from '#web/form/errors.ts'
import { InnerContext, useNestedState, type InnerState } from '#web/form/inner.ts'
import type { Newer } from '#web/form/useRecordSnapshot.ts'
import { toast } from '#web/message/toast.ts'

interface Options<Values extends object> {
  /** Name of the draft: `lead-new`, `lead-17`. */
  name: string
  initial: Values
  /** Newer values saved by others, from useRecordSnapshot; adopted while nothing is typed, and after a save. */
  newer?: Newer<Values> | undefined
  /** The contract's schema of the values sent. */
  schema: z.ZodType
  /** Converts the typed values to those sent, which are also the ones validated; by default they are the same. */
  toSend?: (values: Values) => unknown
  /** Saves; an error is shown in the form, and the input stays. */
  onSave: (values: Values) => Promise<unknown>
  /** Called after a save if the form is still open, for example to close it; a form closed meanwhile must not close another. */
  onSaved?: () => void
  /** Returns a message about the whole form when it is submitted with errors, besides those next to the fields. */
  sayWhatIsMissing?: (values: Values) => string | undefined
  /** Shows a failure without a field elsewhere than in the form. */
  showFailure?: (words: string) => void
}

export interface DraftForm<Values extends object> {
  fields: UseFormReturnType<Values>
  saving: boolean
  /** Why it cannot be saved at the moment: files are being uploaded. */
  saveBlockedReason: string | undefined
  /** State of nested components; FormModal and FormPage provide it (InnerContext). */
  inner: InnerState
  /** A failure without a field. */
  failure: string | undefined
  /** Whether there is unsaved input. */
  isDirty: boolean
  /** When the restored draft was typed; undefined if there was none. */
  restoredFrom: Date | undefined
  /** Fields of the draft whose stored values others have changed since the draft was typed. */
  outdated: readonly string[]
  /** Resets to the stored values, and deletes the draft. */
  discard: () => void
  submit: (event?: FormEvent) => Promise<void>
  /** To spread on the form element: submits, also with Ctrl or ⌘ and Enter. */
  formProps: {
    onSubmit: (event: FormEvent) => void
    onKeyDown: (event: KeyboardEvent) => void
    noValidate: true
  }
}

const draftDelayMs = 400

/**
 * A form that keeps its input through a failed save, an expired session and a closed tab (as a draft in this browser,
 * per form and person), and shows errors next to the field: on blur, on submit, and those from the server.
 */
export function useDraftForm<Values extends Record<string, any>>({
  name,
  initial,
  newer,
  schema,
  toSend,
  onSave,
  onSaved,
  sayWhatIsMissing,
  showFailure,
}: Options<Values>): DraftForm<Values> {
  const [draft, setDraft] = useState(() => readDraft(name))
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<string>()
  const fields = useForm<Values>({
    mode: 'controlled',
    initialValues: initial,
    validateInputOnBlur: true,
    // Only if it has changed: a note that was just sent is empty again, which is not an error.
    enhanceGetInputProps: ({ form, field, inputProps: { onBlur } }) =>
      onBlur
        ? {
            onBlur: (event: unknown) =>
              form.isDirty(field) ? (onBlur as (left: unknown) => void)(event) : undefined,
          }
        : {},
    validate: (values) => errorsOf(schema, toSend ? toSend(values) : values),
  })
  const { values } = fields
  const inner = useNestedState(fields.isDirty)
  const isChanged = fields.isDirty()
  const isDirty = isChanged || inner.isLate
  const typed = JSON.stringify(changedOf(values, initial))
  const typedOver = overOf(values, initial, draft)
  const over = JSON.stringify(typedOver)

  const restore = useEffectEvent(() => {
    if (draft) fields.setValues(draft.values as Partial<Values>)
  })
  useEffect(() => restore(), [])

  const restoreLong = useEffectEvent((found: Draft | undefined) => {
    // Input typed while the draft was loading wins; the rest is restored.
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

  /** Keeps the latest input, if that is still pending. */
  const keep = useRef<() => void>(undefined)
  useEffect(() => {
    keep.current = isChanged
      ? () => keepDraft(name, JSON.parse(typed) as object, JSON.parse(over) as object)
      : undefined
    const timer = setTimeout(() => {
      keep.current?.()
      keep.current = undefined
    }, draftDelayMs)
    return () => clearTimeout(timer)
  }, [name, typed, over, isChanged, keep])

  const keepLast = useEffectEvent(() => {
    if (inner.flushPendingInput()) {
      const now = fields.getValues()
      keepDraft(name, changedOf(now, initial), overOf(now, initial, draft))
    } else keep.current?.()
    keep.current = undefined
  })

  const around = use(InnerContext)

  /** Values saved last, until the record arrives with them, and the newer record that was known before. */
  const saved = useRef<{ values: Values; before: string | undefined }>(undefined)
  const newest = newer && JSON.stringify(newer.values)
  const follow = useEffectEvent((isTyped: boolean) => {
    const since = saved.current
    if (!newer || (isTyped && (!since || since.before === newest))) return
    saved.current = undefined
    inner.flushPendingInput()
    fields.setValues(
      isTyped && since ? { ...newer.values, ...changedOf(fields.getValues(), since.values) } : newer.values,
    )
    fields.resetDirty(newer.values)
    newer.adopt()
  })
  useEffect(() => {
    if (newest !== undefined && !saving) follow(isDirty)
  }, [newest, saving, isDirty])

  const isOpen = useRef(true)
  async function submit(event?: FormEvent): Promise<void> {
    event?.preventDefault()
    if (saving || inner.isBusy) return
    inner.flushPendingInput()
    const { hasErrors, errors } = fields.validate()
    if (hasErrors) {
      const rest = showAtFields(errors as Record<string, string>)
      return setFailure(sayWhatIsMissing?.(fields.getValues()) ?? (rest.join(' ') || undefined))
    }
    setFailure(undefined)
    setSaving(true)
    const sent = fields.getValues()
    const changes = changedOf(sent, initial)
    keepDraft(name, changes, overOf(sent, initial, draft))
    try {
      await onSave(sent)
      saved.current = { values: sent, before: newest }
      inner.flushPendingInput()
      // Input typed meanwhile, here or in the reopened form, has not been saved.
      const left = isOpen.current ? changedOf(fields.getValues(), initial) : (readDraft(name)?.values ?? {})
      if (Object.keys(left).length === 0 || JSON.stringify(left) === JSON.stringify(changes)) {
        forgetDraft()
        fields.resetDirty()
      }
      if (isOpen.current && onSaved && inner.isTyped)
        toast.failure('Your other changes there weren’t saved. They’re kept as a draft.')
      if (isOpen.current) onSaved?.()
      else tellSaved(name, changes)
    } catch (error) {
      show(error)
    } finally {
      setSaving(false)
    }
  }

  function show(error: unknown): void {
    // No request was sent, so nothing is shown (A §5), and the input stays.
    if (error instanceof NotPermitted) return
    const message = errorMessageOf(error)
    if (!isOpen.current) return toast.failure(`${message} Not saved. Your changes are kept as a draft.`)
    const errors = error instanceof ApiError && error.errors ? firstTexts(error.errors) : undefined
    const rest = errors && showAtFields(errors)
    // What no field shows is shown above the form, so that no error is silent.
    const words = rest ? rest.join(' ') : message
    if (showFailure) showFailure(words || message)
    else setFailure(words || undefined)
  }

  /** Shows errors at their fields and focuses the first; returns the texts that no field on the page can show. */
  function showAtFields(errors: Readonly<Record<string, string>>): string[] {
    const { fields: shown, rest } = placeErrors(errors, (path) => Boolean(fields.getInputNode(path as never)))
    fields.setErrors(shown)
    focusFirst(Object.keys(shown))
    return rest
  }

  function focusFirst(names: readonly string[]): void {
    const first = Object.keys(initial).find((field) =>
      names.some((one) => one === field || one.startsWith(`${field}.`)),
    )
    if (first) requestAnimationFrame(() => fields.getInputNode(first as never)?.focus())
  }

  /** Deletes the draft, and a pending one: on a busy machine its timer may fire before the page renders without it. */
  function forgetDraft(): void {
    keep.current = undefined
    dropDraft(name)
    setDraft(undefined)
  }

  function discard(): void {
    if (!isOpen.current) return
    inner.dropLate()
    forgetDraft()
    setFailure(undefined)
    fields.setValues(initial)
    fields.resetDirty(initial)
    fields.clearErrors()
  }

  const drop = useEffectEvent(() => discard())
  useEffect(() => (isDirty ? around.typed(() => drop()) : undefined), [isDirty, around])

  const forget = useEffectEvent((saved: object) => {
    inner.flushPendingInput()
    if (JSON.stringify(changedOf(fields.getValues(), initial)) === JSON.stringify(saved)) discard()
  })
  useEffect(() => {
    isOpen.current = true
    const stops = [whenSaved(name, (saved) => forget(saved)), whenHidden(() => keepLast())]
    return () => {
      isOpen.current = false
      for (const stop of stops) stop()
      keepLast()
    }
  }, [name])

  return {
    fields,
    saving,
    saveBlockedReason: inner.isBusy ? 'A file is still uploading.' : undefined,
    inner,
    failure,
    isDirty,
    restoredFrom: draft && !draft.onServer ? new Date(draft.at) : undefined,
    outdated: Object.keys(typedOver).filter(
      (field) => JSON.stringify(typedOver[field]) !== JSON.stringify(initial[field]),
    ),
    discard,
    submit,
    formProps: {
      noValidate: true,
      onSubmit: (event) => void submit(event),
      onKeyDown: (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          // A nested form saves itself only.
          event.stopPropagation()
          void submit()
        }
      },
    },
  }
}

/** Returns the stored values of the fields that differ; for a draft, those at the time of typing. */
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

/** Returns the fields that differ, with their values: only the user's input. The others are read from the stored values when the form opens again. */
export function changedOf<Values extends Record<string, any>>(
  values: Values,
  initial: Values,
): Partial<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(initial[field]),
    ),
  ) as Partial<Values>
}
