import { searchText } from '#shared/search-text.ts'

/** Letters that follow within this time are one word. */
const pauseMs = 700
const movingKeys: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End'])

/**
 * Returns a function that finds the item that a user means by typing, as in the menus and list boxes of the WAI-ARIA
 * practices: letters in quick succession are the beginning of a name, or of a word in it; the same letter again goes
 * to the next item with it. It takes the key, the names, and the index of the focused item (-1 for none), and returns
 * an index; undefined if no item is meant. A key that moves the focus ends the word.
 */
export function createTypedSearch() {
  let typed = ''
  let last = -Infinity
  return (key: string, names: readonly string[], at: number): number | undefined => {
    if (movingKeys.has(key)) typed = ''
    if (key.length !== 1) return undefined
    const now = performance.now()
    if (now - last > pauseMs) typed = ''
    // Space chooses the focused item, except within a name that is being typed.
    if (key === ' ' && (typed === '' || find(names, `${typed} `, at) === undefined)) return undefined
    last = now
    typed += searchText(key)
    const isRepeated = typed.length > 1 && typed === typed.charAt(0).repeat(typed.length)
    // A longer word can still mean the item that its first letters have found.
    const found = find(names, typed, typed.length > 1 ? at : at + 1)
    return found ?? (isRepeated ? find(names, typed.charAt(0), at + 1) : undefined)
  }
}

/** Returns the first item from an index on whose name begins with a text; if there is none, one in which a word does. */
function find(names: readonly string[], text: string, from: number): number | undefined {
  const start = Math.max(from, 0)
  const all = names.map((name, index) => ({ index, name: searchText(name.trim()) }))
  const inOrder = [...all.slice(start), ...all.slice(0, start)]
  const isFirst = ({ name }: { name: string }) => name.startsWith(text)
  const isWord = ({ name }: { name: string }) =>
    [...name.matchAll(/[\p{L}\p{N}]+/gu)].some(({ index }) => name.startsWith(text, index))
  return (inOrder.find(isFirst) ?? inOrder.find(isWord))?.index
}
