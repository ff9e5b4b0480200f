import type { FocusEvent, KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { Alert, Button, Drawer, Modal } from '@mantine/core'
import { InnerContext } from '#web/form/inner.ts'
import { OtherDraft } from '#web/form/OtherDraft.tsx'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import classes from '#web/form/form.module.css'
import { useWarnBeforeLeaving } from '#web/form/useWarnBeforeLeaving.ts'
import { askToDiscard, useMessage } from '#web/message/messages.ts'
import { relativeTime } from '#web/time.ts'
import { useDialog } from '#web/parts/useDialog.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'

interface Props<Values extends object> {
  title: string
  form: DraftForm<Values>
  onClose: () => void
  children: ReactNode
  saveLabel?: string
  /** Why the viewer cannot save; shown next to the button. */
  whyNotSave?: string | undefined
  /** Opens from the right side, for forms with many fields (A §2). */
  side?: 'right'
  size?: string | number
}

/** A form in a modal: fields, errors, and a Save button. Warns before unsaved input is lost. */
export function FormModal<Values extends object>({
  title,
  form,
  onClose,
  children,
  saveLabel = 'Save',
  whyNotSave,
  side,
  size,
}: Props<Values>) {
  const why = whyNotSave ?? form.saveBlockedReason
  useWarnBeforeLeaving(form)
  const dialog = useDialog()
  const message = useMessage()
  const isUnsaved = form.isDirty || form.inner.isTyped

  async function close(): Promise<void> {
    if (isUnsaved && !form.saving) {
      if (!(await askToDiscard())) return
      form.discard()
      form.inner.discard()
    }
    onClose()
  }

  const { onKeyDown, ...formProps } = propsOf(form, why)
  const content = (
    <form {...formProps} {...firstFocus} className={classes.form} aria-label={title}>
      <RestoredDraft form={form} />
      <div className={classes.fields}>
        <InnerContext value={form.inner.tell}>{children}</InnerContext>
      </div>
      <div className={classes.bottom}>
        {form.failure && (
          <Alert color="red" role="alert">
            {form.failure}
          </Alert>
        )}
        <footer className={classes.actions} onMouseDown={(event) => keepFocusOnPress(event, form)}>
          <span role="status" className={classes.why}>
            {why}
          </span>
          <Button variant="default" onClick={() => void close()}>
            Cancel
          </Button>
          <Button type="submit" loading={form.saving} disabled={why !== undefined} title="Ctrl+Enter">
            {saveLabel}
          </Button>
        </footer>
      </div>
    </form>
  )

  const shared = {
    opened: true,
    onClose: () => void close(),
    // Ctrl+Enter also saves while the focus is on the dialog itself or on its Close button.
    onKeyDown,
    title,
    closeOnClickOutside: !isUnsaved,
    closeOnEscape: dialog.closeOnEscape && !message,
  }
  return (
    <>
      {side === 'right' ? (
        <Drawer {...shared} position="right" size={size ?? 520}>
          {content}
        </Drawer>
      ) : (
        <Modal {...shared} size={size ?? 'md'}>
          {content}
        </Modal>
      )}
      {form.dialog}
    </>
  )
}

const marked = 'data-autofocus'
const inputs = 'input:not([type=hidden], [type=file]), textarea, select, [contenteditable=true]'

/** Marks the first field as the one that the dialog focuses when it opens, unless another one is marked. */
function markFirstField(node: HTMLFormElement | null): void {
  if (node && !node.querySelector(`[${marked}]`)) node.querySelector(inputs)?.setAttribute(marked, '')
}

/** Moves the cursor to the marked or first field of a form, unless the user is typing elsewhere. */
export function focusFirstField(node: HTMLFormElement): void {
  markFirstField(node)
  if (!document.activeElement?.matches(inputs))
    node.querySelector<HTMLElement>(`[${marked}]`)?.focus({ preventScroll: true })
}

/**
 * Marks the field that has the focus, so that it keeps it: a dialog takes the focus only after it is shown,
 * when the user has perhaps chosen a field already.
 */
function markFocused({ currentTarget: node, target }: FocusEvent<HTMLFormElement>): void {
  for (const field of node.querySelectorAll(`[${marked}]`)) field.removeAttribute(marked)
  target.setAttribute(marked, '')
}

const firstFocus = { ref: markFirstField, onFocus: markFocused }

/** Says that the form has restored a draft, which can be discarded, or that there is another one. */
export function RestoredDraft<Values extends object>({ form }: { form: DraftForm<Values> }) {
  if (!form.restoredFrom && !form.other) return null
  return (
    <Alert color="gray" className={classes.restored} role="status">
      {form.restoredFrom && (
        <div>
          Restored your draft from {relativeTime(form.restoredFrom)}.
          {form.outdated.length > 0 &&
            ' Someone else has changed some of these fields since then. Review them before you save.'}{' '}
          <LinkButton onClick={form.discard}>Discard draft</LinkButton>
        </div>
      )}
      <OtherDraft form={form} />
    </Alert>
  )
}

/**
 * Keeps the focus in its field when a button is pressed; otherwise an error shown on blur would move the
 * button away. Pending input is still written to the form's values.
 */
export function keepFocusOnPress<Values extends object>(
  event: MouseEvent,
  { inner }: DraftForm<Values>,
): void {
  event.preventDefault()
  inner.flushPendingInput()
}

/**
 * Returns the props of the form element. If the Save button is disabled, Enter and Ctrl+Enter are disabled as
 * well.
 */
export const propsOf = <Values extends object>(
  { formProps }: DraftForm<Values>,
  whyNot: string | undefined,
): Omit<DraftForm<Values>['formProps'], 'onKeyDown'> & { onKeyDown?: (event: KeyboardEvent) => void } =>
  whyNot === undefined ? formProps : { noValidate: true, onSubmit: (event) => event.preventDefault() }
