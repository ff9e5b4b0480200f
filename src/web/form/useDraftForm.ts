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
  /** Name of the draft, such as `lead-new` or `lead-17`. */
  name: string
  initial: Values
  /**
   * Newer values saved by others, from useRecordSnapshot; adopted while the form is untouched, and after a
   * save.
   */
  newer?: Newer<Values> | undefined
  /** The contract's schema for the values sent. */
  schema: z.ZodType
  /** Converts the form's values to those that are validated and sent; by default they are the same. */
  toSend?: (values: Values) => unknown
  /** Saves the values; if it throws, the error is shown in the form, and the input stays. */
  onSave: (values: Values) => Promise<unknown>
  /** Asks a question before saving; false leaves the form open with its input, and nothing is saved. */
  confirmSave?: (values: Values) => Promise<boolean>
  /**
   * Called after a save if the form is still open, for example to close it. Not called for a form that has
   * since been closed, because it could close a different one.
   */
  onSaved?: () => void
  /**
   * Returns a message about the whole form when it is submitted with errors, in addition to those next to the
   * fields.
   */
  sayWhatIsMissing?: (values: Values) => string | undefined
  /** Shows an error that doesn't belong to a field somewhere other than in the form. */
  showFailure?: (words: string) => void
}

export interface DraftForm<Values extends object> {
  fields: UseFormReturnType<Values>
  saving: boolean
  /** Why the form cannot be saved right now, for example because files are being uploaded. */
  saveBlockedReason: string | undefined
  /**
   * State of nested components, which report to it through the InnerContext that FormModal and FormPage
   * provide.
   */
  inner: InnerState
  /** Error message that doesn't belong to a field. */
  failure: string | undefined
  /** Whether the last save failed without a message in the form (`showFailure`). */
  isNotSaved: boolean
  /** Whether there is unsaved input. */
  isDirty: boolean
  /** When the restored draft was entered; undefined if there was none. */
  restoredFrom: Date | undefined
  /** Fields of the draft whose stored values others have changed since the draft was entered. */
  outdated: readonly string[]
  /** Resets to the stored values and deletes the draft. */
  discard: () => void
  submit: (event?: FormEvent) => Promise<void>
  /** Props for the form element; Enter, Ctrl+Enter, and ⌘+Enter submit the form. */
  formProps: {
    onSubmit: (event: FormEvent) => void
    onKeyDown: (event: KeyboardEvent) => void
    noValidate: true
  }
}

const draftDelayMs = 400

/**
 * Form state that keeps its input through a failed save, an expired session, or a closed tab (as a draft in
 * this browser, per form and user), and shows errors next to the field: on blur, on submit, and from the
 * server.
 */
export function useDraftForm<Values extends Record<string, any>>({
  name,
  initial,
  newer,
  schema,
  toSend,
  onSave,
  confirmSave,
  onSaved,
  sayWhatIsMissing,
  showFailure,
}: Options<Values>): DraftForm<Values> {
  const [draft, setDraft] = useState(() => readDraft(name))
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [isNotSaved, setNotSaved] = useState(false)
  const fields = useForm<Values>({
    mode: 'controlled',
    initialValues: initial,
    validateInputOnBlur: true,
    // Validate on blur only if the field has changed: after a note is sent, its field is empty again, which
    // is not an error.
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

  /** Stores the latest input in the draft, if it has not been stored yet. */
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

  /**
   * The values that were just saved, kept until the saved record arrives, and the newer record that was
   * already known at the time of the save.
   */
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
    setNotSaved(false)
    setSaving(true)
    const sent = fields.getValues()
    const changes = changedOf(sent, initial)
    keepDraft(name, changes, overOf(sent, initial, draft))
    try {
      if (confirmSave && !(await confirmSave(sent))) return
      await onSave(sent)
      saved.current = { values: sent, before: newest }
      inner.flushPendingInput()
      // Input entered during the save, here or in the reopened form, has not been saved.
      const left = isOpen.current ? changedOf(fields.getValues(), initial) : (readDraft(name)?.values ?? {})
      if (Object.keys(left).length === 0 || JSON.stringify(left) === JSON.stringify(changes)) {
        forgetDraft()
        fields.resetDirty()
      }
      if (isOpen.current && onSaved && inner.isTyped)
        toast.failure('Changes you made while saving weren’t saved. They’re kept as a draft.')
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
    // Errors that no field shows appear above the form, so that none goes unnoticed.
    const words = rest ? rest.join(' ') : message
    if (showFailure) {
      showFailure(words || message)
      setNotSaved(true)
    } else setFailure(words || undefined)
  }

  /**
   * Shows errors next to their fields and focuses the first field; returns the messages that no field on the
   * page can show.
   */
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

  /**
   * Deletes the draft, including one that is about to be stored: on a busy machine, the timer that stores it
   * may fire before the page re-renders without the draft.
   */
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
    isNotSaved,
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
          // A nested form saves only itself.
          event.stopPropagation()
          void submit()
        }
      },
    },
  }
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

/**
 * Returns the fields that differ, with their values: only the user's input. All other fields are read from
 * the stored values when the form is reopened.
 */
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
