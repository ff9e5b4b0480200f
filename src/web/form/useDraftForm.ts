import {
  use,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { useForm, type UseFormReturnType } from '@mantine/form'
import type { z } from 'zod'
import { ApiError, NotPermitted, errorMessageOf, noAnswer } from '#web/api/errors.ts'
import { changedOf } from '#web/form/changedOf.ts'
import { readDraft, tellSaved, whenSaved } from '#web/form/draft.ts'
import { enteredSince } from '#web/form/enteredSince.ts'
import { errorsOf, firstTexts, placeErrors } from '#web/form/errors.ts'
import { InnerContext, useNestedState, type InnerState } from '#web/form/inner.ts'
import { useKeptDraft, type KeptDraft, type OtherDraft } from '#web/form/useKeptDraft.ts'
import type { Newer } from '#web/form/useRecordSnapshot.ts'
import { onReconnect } from '#web/live.ts'
import { askToLeaveOut } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'

export interface DraftOptions<Values extends object> {
  /** Name of the draft, such as `lead-new` or `lead-17`. */
  name: string
  initial: Values
  /**
   * Newer values saved by others, from useRecordSnapshot; adopted while the form is untouched, and after a
   * save.
   */
  newer?: Newer<Values> | undefined
  /** The contract's schema for the values sent. */
  schema?: z.ZodType
  /** Converts the form's values to those that are validated and sent; by default they are the same. */
  toSend?: (values: Values) => unknown
  /** Saves the values; if it throws, the error is shown in the form, and the input stays. */
  onSave: (values: Values) => Promise<unknown>
  /** What saving is called when the form asks about files that were not uploaded; Save by default. */
  saveVerb?: 'Save' | 'Send'
  /** Asks a question before saving; false leaves the form open with its input, and nothing is saved. */
  confirmSave?: ((values: Values) => Promise<boolean>) | undefined
  /**
   * Called after a save if the form is still open, for example to close it. Not called for a form that has
   * since been closed, because it could close a different one.
   */
  onSaved?: (() => void) | undefined
  /**
   * Returns a message about the whole form when it is submitted with errors, in addition to those next to the
   * fields.
   */
  sayWhatIsMissing?: (values: Values) => string | undefined
  /** Shows an error that doesn't belong to a field somewhere other than in the form. */
  showFailure?: ((words: string) => void) | undefined
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
  /** Whether the input on screen is stored as a draft. */
  isKept: boolean
  /** Fields of the draft whose stored values others have changed since the draft was entered. */
  outdated: readonly string[]
  /** Other input of this form, which the form offers. */
  other: OtherDraft | undefined
  /** Asks about fields that others have changed too; shown with the form. */
  dialog?: ReactNode
  /** Changes values by the current ones, which include what was typed just before. */
  change: (by: (current: Values) => Partial<Values>) => void
  /** Shows other values; the input that was there is set aside, and offered as a different draft. */
  replace: (values: Values) => void
  /** Resets to the stored values and deletes the draft. */
  discard: () => void
  /** Starts over after these values were sent; input entered since stays. */
  discardSent: (sent: Values) => void
  submit: (event?: FormEvent) => Promise<void>
  /** Props for the form element; Enter, Ctrl+Enter, and ⌘+Enter submit the form. */
  formProps: {
    onSubmit: (event: FormEvent) => void
    onKeyDown: (event: KeyboardEvent) => void
    noValidate: true
  }
}

/**
 * Form state that keeps its input through a failed save, an expired session, or a closed tab (as a draft in
 * this browser, per form and user), and shows errors next to the field: on blur, on submit, and from the
 * server.
 */
export function useDraftForm<Values extends Record<string, any>>(
  options: DraftOptions<Values>,
): DraftForm<Values> {
  const { name, initial, newer, schema, toSend } = options
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
    validate: (values) => (schema ? errorsOf(schema, toSend ? toSend(values) : values) : {}),
  })
  const inner = useNestedState(fields.isDirty)
  const isDirty = fields.isDirty() || inner.isLate
  const draft = useKeptDraft(name, initial, fields, inner)
  const [saving, setSaving] = useState(false)
  const noteSaved = useNewerValues({ newer, fields, inner, isDirty, saving })
  const isOpen = useIsOpen()
  const form = { fields, inner, draft, isOpen, saving, setSaving, noteSaved }
  const { submit, failure, setFailure, isNotSaved } = useSubmit(options, form)

  function discard(): void {
    if (!isOpen()) return
    inner.dropLate()
    draft.forgetDraft()
    setFailure(undefined)
    fields.setValues(initial)
    fields.resetDirty(initial)
    fields.clearErrors()
  }

  function change(by: (current: Values) => Partial<Values>): void {
    inner.flushPendingInput()
    fields.setValues(by(fields.getValues()))
  }

  function discardSent(sent: Values): void {
    inner.flushPendingInput()
    const left = enteredSince(fields.getValues(), sent, initial)
    discard()
    fields.setValues(left)
  }

  const around = use(InnerContext)
  const drop = useEffectEvent(() => discard())
  useEffect(() => (isDirty ? around.typed(() => drop()) : undefined), [isDirty, around])

  const forget = useEffectEvent((saved: object) => {
    inner.flushPendingInput()
    if (JSON.stringify(changedOf(fields.getValues(), initial)) === JSON.stringify(saved)) discard()
  })
  useEffect(() => whenSaved(name, (saved) => forget(saved)), [name])

  return {
    fields,
    saving,
    saveBlockedReason: inner.isBusy ? 'A file is still uploading.' : undefined,
    inner,
    failure,
    isNotSaved,
    isDirty,
    restoredFrom: draft.restoredFrom,
    isKept: draft.isKept,
    outdated: draft.outdated,
    other: draft.other,
    change,
    replace: draft.replace,
    discard,
    discardSent,
    submit,
    formProps: formPropsOf(submit),
  }
}

const formPropsOf = (submit: (event?: FormEvent) => Promise<void>): DraftForm<object>['formProps'] => ({
  noValidate: true,
  onSubmit: (event) => void submit(event),
  onKeyDown: (event) => submitByKey(event, submit),
})

/** Submits a form on Ctrl+Enter and ⌘+Enter. */
function submitByKey(event: KeyboardEvent, submit: () => Promise<void>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  // A nested form saves only itself.
  event.stopPropagation()
  void submit()
}

/** Returns a function that tells whether the form is still shown. */
function useIsOpen(): () => boolean {
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  return () => isOpen.current
}

/**
 * Adopts newer values saved by others while the form is untouched, and after a save. Returns the function to
 * call with the values that were saved.
 */
function useNewerValues<Values extends Record<string, any>>({
  newer,
  fields,
  inner,
  isDirty,
  saving,
}: {
  newer: Newer<Values> | undefined
  fields: UseFormReturnType<Values>
  inner: InnerState
  isDirty: boolean
  saving: boolean
}): (values: Values) => void {
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
  return (values) => {
    saved.current = { values, before: newest }
  }
}

/** Values and functions that a save needs. */
interface Saving<Values extends object> {
  fields: UseFormReturnType<Values>
  inner: InnerState
  draft: KeptDraft<Values>
  isOpen: () => boolean
  saving: boolean
  setSaving: (saving: boolean) => void
  noteSaved: (values: Values) => void
}

/** Saves the form's values, and shows what prevents that. */
function useSubmit<Values extends Record<string, any>>(
  {
    name,
    initial,
    onSave,
    saveVerb = 'Save',
    confirmSave,
    onSaved,
    sayWhatIsMissing,
    showFailure,
  }: DraftOptions<Values>,
  { fields, inner, draft, isOpen, saving, setSaving, noteSaved }: Saving<Values>,
) {
  const [failure, setFailure] = useState<string>()
  const [isNotSaved, setNotSaved] = useState(false)
  useClearedOnline(failure, () => setFailure(undefined))

  async function submit(event?: FormEvent): Promise<void> {
    event?.preventDefault()
    if (saving || inner.isBusy) return
    inner.flushPendingInput()
    const { hasErrors, errors } = fields.validate()
    if (hasErrors) {
      const rest = showAtFields(fields, errors as Record<string, string>)
      return setFailure(sayWhatIsMissing?.(fields.getValues()) ?? (rest.join(' ') || undefined))
    }
    setFailure(undefined)
    setNotSaved(false)
    setSaving(true)
    const sent = fields.getValues()
    draft.keepNow(sent)
    try {
      if (inner.refused.length > 0 && !(await askToLeaveOut(inner.refused, saveVerb))) return
      if (confirmSave && !(await confirmSave(sent))) return
      await onSave(sent)
      inner.dismissRefused()
      noteSaved(sent)
      inner.flushPendingInput()
      finish(changedOf(sent, initial))
    } catch (error) {
      show(error)
    } finally {
      setSaving(false)
    }
  }

  /** Deletes the draft of the saved changes, and tells the page, or the reopened form. */
  function finish(changes: Partial<Values>): void {
    // Input entered during the save, here or in the reopened form, has not been saved.
    const left = isOpen() ? changedOf(fields.getValues(), initial) : (readDraft(name)?.values ?? {})
    if (Object.keys(left).length === 0 || JSON.stringify(left) === JSON.stringify(changes)) {
      draft.forgetDraft()
      fields.resetDirty()
    }
    if (isOpen() && onSaved && inner.isTyped)
      toast.failure('Changes you made while saving weren’t saved. They’re kept as a draft.')
    if (isOpen()) onSaved?.()
    else tellSaved(name, changes)
  }

  function show(error: unknown): void {
    // No request was sent, so nothing is shown (A §5), and the input stays.
    if (error instanceof NotPermitted) return
    const message = errorMessageOf(error)
    if (!isOpen()) return toast.failure(`${message} Not saved. Your changes are kept as a draft.`)
    const errors = error instanceof ApiError && error.errors ? firstTexts(error.errors) : undefined
    const rest = errors && showAtFields(fields, errors)
    // Errors that no field shows appear above the form, so that none goes unnoticed.
    const words = rest ? rest.join(' ') : message
    if (showFailure) {
      showFailure(words || message)
      setNotSaved(true)
    } else setFailure(words || undefined)
  }

  return { submit, failure, setFailure, isNotSaved }
}

/** Clears the message that the server can't be reached, once it is reached again. */
function useClearedOnline(failure: string | undefined, onClear: () => void): void {
  const clear = useEffectEvent(onClear)
  const isUnreached = failure === noAnswer().message
  useEffect(() => {
    if (!isUnreached) return
    const online = () => clear()
    addEventListener('online', online)
    const stop = onReconnect(online)
    return () => {
      removeEventListener('online', online)
      stop()
    }
  }, [isUnreached])
}

/**
 * Shows errors next to their fields and focuses the first field; returns the messages that no field on the
 * page can show.
 */
function showAtFields<Values extends Record<string, any>>(
  form: UseFormReturnType<Values>,
  errors: Readonly<Record<string, string>>,
): string[] {
  const nodeOf = (path: string) => form.getInputNode(path as never)
  const { fields: shown, rest } = placeErrors(errors, (path) => Boolean(nodeOf(path)))
  form.setErrors(shown)
  requestAnimationFrame(() => {
    const nodes = Object.keys(shown).flatMap((path) => nodeOf(path) ?? [])
    focusField(nodes.toSorted(inPageOrder)[0])
  })
  return rest
}

const inPageOrder = (one: Node, other: Node) =>
  one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1

const inputs = 'input:not([type=file]), textarea, select, [contenteditable=true]'

/** Focuses a field; the path of a field with several parts, such as rich text, is on the element around them. */
function focusField(node: HTMLElement | undefined): void {
  const field = node?.matches(inputs) ? node : node?.querySelector<HTMLElement>(inputs)
  const target = field ?? node?.querySelector('button') ?? node
  target?.focus()
}
