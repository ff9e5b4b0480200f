import { useLayoutEffect, useState } from 'react'
import type { EditorMenu } from '#web/richtext/editorMenu.ts'

/**
 * Moves through an open menu with the arrow keys.
 * @param press handles the other keys for the selected item; returns whether it did.
 * @returns the index of the selected item: the first one whenever the query has changed.
 */
export function useMenuSelection<Item>(
  { query, keys }: Pick<EditorMenu<unknown>, 'query' | 'keys'>,
  items: readonly Item[],
  press: (key: string, selected: Item) => boolean,
): number {
  const [at, setAt] = useState({ query, index: 0 })
  const index = at.query === query ? Math.min(at.index, Math.max(items.length - 1, 0)) : 0
  useLayoutEffect(() =>
    keys.use((key) => {
      const selected = items[index]
      if (selected === undefined) return false
      const by = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
      if (by === 0) return press(key, selected)
      setAt({ query, index: (index + by + items.length) % items.length })
      return true
    }),
  )
  return index
}
