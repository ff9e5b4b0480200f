import { TagsInput, type TagsInputProps } from '@mantine/core'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { useQuery } from '@tanstack/react-query'
import { tags } from '#features/cms/articles/tags/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'

interface Props extends Omit<TagsInputProps, 'searchValue' | 'onSearchChange'> {
  /** The tag that is still being entered. */
  typed: string
  onType: (tag: string) => void
}

/** Field for a post's tags, which suggests existing ones. */
export function TagsField({ typed, onType, ...rest }: Props) {
  const near = useQuery(queryOptionsFor(tags.search, { query: { q: typed } }))
  return (
    <TagsInput
      label="Tags"
      description="Press Enter or type a comma to add a tag."
      data={(near.data?.data ?? []).map(({ name }) => name)}
      filter={({ options: all }) => all}
      searchValue={typed}
      onSearchChange={onType}
      maxTags={30}
      maxLength={60}
      {...rest}
    />
  )
}

/** Returns the tags to save: those in the field, and the one that is still being entered. */
export const withTyped = (names: readonly string[], typed: string): string[] =>
  [...new Set([...names, typed.trim()])].filter(Boolean)
