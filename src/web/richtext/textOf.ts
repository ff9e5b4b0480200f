import { getHTMLFromFragment, type Editor } from '@tiptap/core'
import { Fragment, type Node } from '@tiptap/pm/model'
import { forSaving } from '#web/richtext/purify.ts'

/** A block is never altered: typing puts another one in its place, and all the others are written already. */
const written = new WeakMap<Node, string>()

/** One block of a text (a paragraph, a list, a table) as it may be saved. */
function write(block: Node): string {
  const known = written.get(block)
  if (known !== undefined) return known
  const html = forSaving(getHTMLFromFragment(Fragment.from(block), block.type.schema))
  written.set(block, html)
  return html
}

/** What is typed as it may be saved; empty where nothing is. */
export const textOf = ({ isEmpty, state }: Editor): string => (isEmpty ? '' : state.doc.children.map(write).join(''))

/** Writes a long text while the browser has nothing else to do, so that the first pause takes no longer than those after it. */
export function writeAhead({ state }: Editor): void {
  const left = [...state.doc.children]
  const go = (deadline: IdleDeadline) => {
    while (left.length > 0 && deadline.timeRemaining() > 2) write(left.pop()!)
    if (left.length > 0) requestIdleCallback(go)
  }
  // Safari has none.
  globalThis.requestIdleCallback?.(go)
}
