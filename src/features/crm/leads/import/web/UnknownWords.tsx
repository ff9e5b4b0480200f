import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Import } from '#features/crm/leads/import/contract.ts'
import type { ImportMapping } from '#features/crm/leads/import/mapping.contract.ts'
import { choicesOf } from '#features/crm/leads/import/web/choicesOf.ts'
import { askOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'

interface Props {
  current: Import
  mapping: ImportMapping
  position: number
  onChange: (mapping: ImportMapping) => void
}

/** What words of a column mean that the preview didn’t find in the list of its field. */
export function UnknownWords({ current, mapping, position, onChange }: Props) {
  const options = useQuery(askOptions()).data
  const field = mapping.columns[position]!
  const names = options && choicesOf(field, options, options.custom_fields)?.names
  if (!names) return null
  const meant = mapping.words ?? []
  const known = meant.filter((one) => one.field === field)
  const unknown = current.unknown_words.filter(
    (one) => one.field === field && !known.some(({ word }) => word.toLowerCase() === one.word.toLowerCase()),
  )
  const choose = (word: string, chosen: string) => {
    const others = meant.filter((one) => one.field !== field || one.word !== word)
    const entry = chosen.slice(entryMark.length)
    onChange({ ...mapping, words: chosen === '' ? others : [...others, { field, word, entry }] })
  }
  const choices = [
    { value: '', label: 'Errors' },
    { value: entryMark, label: 'Leave empty' },
    { group: 'Mean', items: names.map(([value, label]) => ({ value: entryMark + value, label })) },
  ]
  return [...known, ...unknown]
    .toSorted((one, other) => one.word.localeCompare(other.word))
    .map((one) => (
      <NativeSelect
        key={one.word}
        mt={6}
        label={`Rows with “${one.word}”`}
        description={'remembered' in one && one.remembered && 'From an earlier import.'}
        value={'entry' in one ? entryMark + one.entry : ''}
        data={choices}
        onChange={(event) => choose(one.word, event.currentTarget.value)}
      />
    ))
}

/** Tells a word that is left out from one without a choice. */
const entryMark = '='
