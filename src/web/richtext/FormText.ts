import type { Editor } from '@tiptap/core'
import type { NestedReports } from '#web/form/inner.ts'
import { toDisplayHtml } from '#web/richtext/purify.ts'
import { textOf } from '#web/richtext/textOf.ts'

/**
 * The form receives the text when the user pauses for this long, or when the form requests it: comparing,
 * validating, and rendering must not slow down typing.
 */
const pauseMs = 400

interface Form {
  onChange: (html: string) => void
  /** Absent if there is no form that would request the text later. */
  late: NestedReports['late']
}

/** Keeps the form's value and the editor's text the same. */
export class FormText {
  /** The text that the form has. */
  #emitted: string
  #editor: Editor | undefined
  #form: Form | undefined
  /** Set while there is input that the form has not received yet. */
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Withdraws the report of that input. */
  #withdraw: (() => void) | undefined

  constructor(value: string) {
    this.#emitted = value
  }

  /** Sets where the text is read and where it goes. */
  connect(editor: Editor, form: Form): void {
    this.#editor = editor
    this.#form = form
  }

  /** Reports a change of the text to the form. */
  changed = (): void => {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.flushPendingInput, pauseMs)
    if (!this.#form?.late) return this.flushPendingInput()
    this.#withdraw ??= this.#form.late({ flushPendingInput: this.flushPendingInput, drop: this.#drop })
  }

  flushPendingInput = (): void => {
    if (!this.#timer || !this.#editor) return
    this.#settle()
    this.#form?.onChange((this.#emitted = textOf(this.#editor)))
  }

  /** Shows a value that was not typed here, for example of a draft that was restored or discarded. */
  show(value: string): void {
    if (value === this.#emitted) return
    this.#settle()
    this.#setText(value)
    this.#emitted = value
  }

  #drop = (): void => {
    this.#settle()
    this.#setText(this.#emitted)
  }

  #settle(): void {
    clearTimeout(this.#timer)
    this.#withdraw?.()
    this.#timer = this.#withdraw = undefined
  }

  #setText(html: string): void {
    this.#editor?.commands.setContent(
      toDisplayHtml(html, () => undefined),
      { emitUpdate: false },
    )
  }
}
