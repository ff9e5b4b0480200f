import {
  useEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { Button } from '@mantine/core'
import classes from '#web/composer/composer.module.css'
import type { Attachments } from '#web/composer/useAttachments.tsx'
import { pastedFiles } from '#web/files/pastedFiles.ts'
import { useWarnBeforeLeaving } from '#web/form/useWarnBeforeLeaving.ts'
import { InnerContext } from '#web/form/inner.ts'
import { OtherDraft } from '#web/form/OtherDraft.tsx'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { useAnnounceWriting, useWriters, writingWords, type Writing } from '#web/record/writing.ts'

interface Props<Values extends Record<string, any>> {
  /** Accessible name of the form. */
  label: string
  form: DraftForm<Values>
  /** Lines above the text, such as who receives it. */
  head?: ReactNode
  /** The text. */
  children: ReactNode
  /** Attached files, which can also be pasted and dropped. */
  files?: Attachments
  /** Further fields. */
  options?: ReactNode
  /** Content beside the buttons, where rich text has its toolbar. */
  tools?: ReactNode
  /** The buttons, from the left. */
  acts: ReactNode
  /** Called when the form gets the focus. */
  onUsed?: () => void
  /** The kind of the text, which others who have the record open see. */
  writing?: Writing
}

/**
 * Form of a composer's tab: the text, its files, and the buttons below. Ctrl+Enter submits it; then, and after
 * Escape, the keys of the page work again.
 */
export function ComposerForm<Values extends Record<string, any>>({
  label,
  form,
  head,
  children,
  files,
  options,
  tools,
  acts,
  onUsed,
  writing,
}: Props<Values>) {
  const { isBusy, refused } = form.inner
  // The text is kept as a draft, which the form says; files that are not uploaded yet are not.
  useWarnBeforeLeaving(form, isBusy || refused.length > 0)
  const box = useRef<HTMLFormElement>(null)
  useLeaveWhenSaved(box, form)
  const { isOver, ...drop } = useDroppedFiles(files)
  const announceWriting = useAnnounceWriting(writing, form.isDirty)
  const press = (event: KeyboardEvent<HTMLFormElement>) => {
    form.formProps.onKeyDown(event)
    const isInText =
      event.target instanceof Element && event.target.matches('textarea, [contenteditable=true]')
    if (event.key === 'Escape' && !event.defaultPrevented && isInText) leave(event.currentTarget)
  }
  return (
    <form
      {...form.formProps}
      {...drop}
      ref={box}
      onKeyDown={press}
      onFocus={onUsed}
      onInput={announceWriting}
      className={classes.form}
      aria-label={label}
      data-over={isOver || undefined}
    >
      {form.other && (
        <div className={classes.other} role="status">
          <OtherDraft form={form} />
        </div>
      )}
      {head && <div className={classes.head}>{head}</div>}
      <InnerContext value={form.inner.tell}>
        {children}
        {files?.list}
      </InnerContext>
      {options && <div className={classes.options}>{options}</div>}
      {form.failure && (
        <p className={classes.failure} role="alert">
          {form.failure}
        </p>
      )}
      {tools && <div className={classes.tools}>{tools}</div>}
      <div className={classes.acts}>
        {writing && <OthersWriting {...writing} />}
        {form.isKept && <span className={classes.kept}>Draft saved</span>}
        {acts}
      </div>
    </form>
  )
}

/** The others who are writing on the record too, beside the button that sends; its heading announces them. */
const OthersWriting = (about: Writing) => {
  const writers = useWriters(about)
  return writers.length > 0 && <span className={classes.writers}>{writers.map(writingWords).join('. ')}</span>
}

interface SubmitProps<Values extends object> {
  form: DraftForm<Values>
  children: string
}

/** The button that submits a composer's form; it waits for files that are still uploading. */
export const SubmitButton = <Values extends object>({ form, children }: SubmitProps<Values>) => (
  <Button
    type="submit"
    size="xs"
    loading={form.saving}
    disabled={form.saveBlockedReason !== undefined}
    title={form.saveBlockedReason ?? 'Ctrl+Enter'}
  >
    {children}
  </Button>
)

/** Handlers of an element whose pasted and dropped files are attached, and whether files are dragged over it. */
function useDroppedFiles(files: Attachments | undefined) {
  const [isOver, setOver] = useState(false)
  if (!files) return { isOver }
  const take = (event: ClipboardEvent | DragEvent, taken: readonly File[]) => {
    setOver(false)
    // The editor has taken what is pasted and dropped into it.
    if (event.defaultPrevented || taken.length === 0) return
    event.preventDefault()
    files.add(taken)
  }
  return {
    isOver,
    onPaste: (event: ClipboardEvent) => take(event, pastedFiles(event.clipboardData)),
    onDrop: (event: DragEvent) => take(event, [...event.dataTransfer.files]),
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) =>
      setOver(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)),
  }
}

/** Moves the focus out of a form. In a dialog, which keeps the focus, the page has no keys to return to. */
function leave(form: HTMLFormElement): void {
  const focused = document.activeElement
  if (focused instanceof HTMLElement && form.contains(focused) && !form.closest('[role=dialog]'))
    focused.blur()
}

/** Moves the focus out of the form after it was saved, unless the user is already typing the next text. */
function useLeaveWhenSaved<Values extends Record<string, any>>(
  box: RefObject<HTMLFormElement | null>,
  { saving, isDirty }: DraftForm<Values>,
): void {
  const wasSaving = useRef(false)
  useEffect(() => {
    // A form that was not saved is still dirty.
    if (wasSaving.current && !saving && !isDirty && box.current) leave(box.current)
    wasSaving.current = saving
  }, [box, saving, isDirty])
}
