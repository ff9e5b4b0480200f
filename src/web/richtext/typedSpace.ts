import type { Transaction } from '@tiptap/pm/state'

/**
 * Replaces a no-break space before the cursor with a space. HTML keeps a space at the end of a line only as a
 * no-break one, and the user continues behind it: those words would never be separated at the end of a line,
 * and a search for them would not find them.
 */
export function withTypedSpace(change: Transaction): Transaction {
  const { from } = change.selection
  return change.doc.textBetween(Math.max(0, from - 1), from) === '\u00A0'
    ? change.insertText(' ', from - 1, from).setMeta('addToHistory', false)
    : change
}
