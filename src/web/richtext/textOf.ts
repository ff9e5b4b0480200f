import { getHTMLFromFragment, type Editor } from '@tiptap/core'
import { Fragment, type Node } from '@tiptap/pm/model'
import { forSaving } from '#web/richtext/purify.ts'

/**
 * HTML of each block. Blocks are immutable: typing replaces only one, and the HTML of all others is reused.
 */
const written = new WeakMap<Node, string>()

/** Serializes one block of rich text (a paragraph, a list, a table) for saving. */
function write(block: Node): string {
  const known = written.get(block)
  if (known !== undefined) return known
  const html = forSaving(getHTMLFromFragment(Fragment.from(block), block.type.schema))
  written.set(block, html)
  return html
}

/** Returns the editor's content as HTML for saving; an empty string if there is none. */
export const textOf = ({ isEmpty, state }: Editor): string =>
  isEmpty ? '' : state.doc.children.map(write).join('')

/**
 * Serializes long text while the browser is idle, so that the first update of the form takes no longer than
 * later ones.
 */
export function writeAhead({ state }: Editor): void {
  const left = [...state.doc.children]
  const go = (deadline: IdleDeadline) => {
    while (left.length > 0 && deadline.timeRemaining() > 2) write(left.pop()!)
    if (left.length > 0) requestIdleCallback(go)
  }
  // Safari has no requestIdleCallback.
  globalThis.requestIdleCallback?.(go)
}
