import type { ReactNode } from 'react'
import { searchText } from '#shared/search-text.ts'
import { Soft } from '#web/parts/Soft.tsx'

export interface TagName {
  id: number
  name: string
}

/** Returns the items of a menu of tags, those whose names contain a typed text. */
export function tagItems(
  tags: readonly TagName[],
  typed: string,
  itemOf: (tag: TagName) => ReactNode,
): ReactNode {
  const found = tags.filter(({ name }) => searchText(name).includes(searchText(typed.trim())))
  return found.length === 0 ? <Soft>No tags match.</Soft> : found.map(itemOf)
}
