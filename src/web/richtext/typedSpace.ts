import type { Transaction } from '@tiptap/pm/state'

/**
 * Replaces a no-break space before a position with a space. HTML keeps a space at the end of a line only as a
 * no-break one, and the user continues behind it: those words would never be separated at the end of a line,
 * and a search for them would not find them.
 */
export const withTypedSpace = (change: Transaction, position: number): Transaction =>
  change.doc.textBetween(Math.max(0, position - 1), position) === '\u00A0'
    ? change.insertText(' ', position - 1, position).setMeta('addToHistory', false)
    : change
