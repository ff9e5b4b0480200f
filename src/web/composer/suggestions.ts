import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { searchText } from '#shared/search-text.ts'
import type { Person } from '#web/composer/mentions.ts'
import { registered } from '#web/shell/page.ts'

/** The beginning of a name, or a number or words of a record, that is being typed after its sign. */
export interface Typed {
  sign: '@' | '#'
  words: string
}

export interface Suggestion {
  id: number
  /** Text that takes the place of the typed words. */
  text: string
  label: string
}

const mostShown = 6
const debounceMs = 200

/** Returns what is being typed at the end of a text. Names can have a space, so that both names can be typed. */
export function typedAtEnd(before: string): Typed | undefined {
  const [, name, record] =
    /(?:^|\s)@([^\s@]{0,30}(?: [^\s@]{1,30})?)$|(?:^|[\s(])#([\p{L}\p{N}-]{1,30})$/u.exec(before) ?? []
  if (name !== undefined) return { sign: '@', words: name }
  return record === undefined ? undefined : { sign: '#', words: record }
}

const startsWith = (name: string, typed: string) => ` ${searchText(name)}`.includes(` ${searchText(typed)}`)

/** Returns the people whose names, or the numbered records whose number or words, match what is being typed. */
export function useSuggestions(typed: Typed | undefined, people: readonly Person[]): readonly Suggestion[] {
  const words = typed?.sign === '#' ? typed.words : ''
  const [searched] = useDebouncedValue(words, debounceMs)
  const { data = [] } = useQuery({
    queryKey: ['numbered', searched],
    queryFn: ({ signal }) => findNumbered(searched, signal),
    enabled: words !== '' && searched !== '',
    placeholderData: keepPreviousData,
  })
  if (!typed) return []
  if (typed.sign === '#') return words === searched ? data : []
  return people
    .filter(({ name }) => startsWith(name, typed.words))
    .slice(0, mostShown)
    .map(({ id, name }) => ({ id, text: name, label: name }))
}

/** Searches the records that texts name by their number (#145), as the command palette does. */
async function findNumbered(words: string, signal: AbortSignal): Promise<Suggestion[]> {
  const loaded = await Promise.all(registered.pages.flatMap(({ searches }) => (searches ? [searches()] : [])))
  const numbered = loaded.flat().filter((one) => one.isNamedByNumber && one.isAllowed())
  const hits = await Promise.all(numbered.map(({ find }) => find(words, signal)))
  return hits
    .flat()
    .flatMap(({ number, label }) =>
      number === undefined ? [] : [{ id: number, text: String(number), label: `#${number} ${label}` }],
    )
    .slice(0, mostShown)
}
