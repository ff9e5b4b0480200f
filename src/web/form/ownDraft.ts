import { dropDraft, keepDraft, readDraft, type Draft } from '#web/form/draft.ts'
import { contentOf, contentOfValues, findAside, setAside } from '#web/form/otherDrafts.ts'

/** A form's access to its stored draft. The form never overwrites a draft that it hasn't read. */
export class OwnDraft {
  readonly form: string
  /** The stored draft that the form has read or written last; undefined while the form hasn't read any. */
  #read: string | undefined
  /** The input of that draft. */
  #shown: string | undefined
  /** Where the form's input is while the stored draft can't be read. */
  #meanwhile: string | undefined

  constructor(form: string) {
    this.form = form
  }

  get isRead(): boolean {
    return this.#read !== undefined
  }

  /** The stored draft, if it is not the one that the form has; `draft` is undefined if it was deleted. */
  get news(): { draft: Draft | undefined } | undefined {
    const draft = readDraft(this.form)
    return contentOf(draft) === this.#read ? undefined : { draft }
  }

  /** Whether this is the input that was stored last. */
  isShown = (values: object): boolean => contentOfValues(values) === (this.#shown ?? contentOfValues({}))

  /** Notes that the form has read the stored draft; its input is undefined if the form keeps other input. */
  noteRead(draft: Draft | undefined, values?: object): void {
    this.#read = contentOf(draft)
    this.#shown = values && contentOfValues(values)
    if (this.#meanwhile !== undefined) dropDraft(this.#meanwhile)
    this.#meanwhile = undefined
  }

  /** Stores input as the draft; a draft that the form hasn't read is set aside. Returns whether it is stored. */
  keep(values: object, over: object): boolean {
    const there = this.news?.draft
    if (there && contentOf(there) !== contentOfValues(values)) {
      // Another tab has newer input.
      if (this.isRead && this.isShown(values)) return false
      if (there.onServer) {
        if (this.#meanwhile === undefined) this.#meanwhile = setAside(this.form, values, over)
        else keepDraft(this.#meanwhile, values, over)
        return true
      }
      setAside(this.form, there.values, there.over ?? {})
    }
    const isStored = keepDraft(this.form, values, over)
    this.noteRead(readDraft(this.form), values)
    return isStored
  }

  /** Deletes the draft, unless the form hasn't read it. */
  drop(): void {
    if (this.news?.draft) return
    dropDraft(this.form)
    this.noteRead(undefined)
  }

  /** Returns the name of other input that was set aside. */
  findOther = (): string | undefined => findAside(this.form, this.#meanwhile)
}
