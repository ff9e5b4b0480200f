import '@mantine/spotlight/styles.css'
import { useEffect, useState } from 'react'
import { useDebouncedValue } from '@mantine/hooks'
import { closeSpotlight, Spotlight } from '@mantine/spotlight'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import classes from '#web/palette/Palette.module.css'
import { linksOf, type MenuGroup } from '#web/shell/menu.ts'
import { endTypeAhead } from '#web/palette/typeAhead.ts'

export interface PaletteHit {
  id: string
  label: string
  detail: string
  to: string
}

/** A kind of record that the palette searches. */
export interface PaletteSearch {
  group: string
  /** Whether the viewer is allowed to search these records at all; if not, no request is sent. */
  isAllowed: () => boolean
  find: (text: string, signal: AbortSignal) => Promise<PaletteHit[]>
}

interface Props {
  groups: readonly MenuGroup[]
  searches: () => Promise<readonly PaletteSearch[]>
}

const shortestSearch = 2
const debounceMs = 200

/**
 * Dialog for opening a page that the viewer can see, or a record found by any part of its name, email
 * address, or number.
 */
export default function Palette({ groups, searches }: Props) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const found = useRecords(searches, text.trim())
  const words = text.trim().toLowerCase()
  const pages = uniqueLinks(groups).filter(({ label, group }) =>
    `${group} ${label}`.toLowerCase().includes(words),
  )
  const isSearching = found.some(({ isFetching }) => isFetching)
  const isEmpty = pages.length === 0 && found.every(({ hits }) => hits.length === 0)

  useMarkedFirst(words, [
    ...found.flatMap(({ hits }) => hits).map(({ id }) => id),
    ...pages.map(({ to }) => to),
  ])

  function go(to: string): void {
    closeSpotlight()
    void navigate({ href: to })
  }

  return (
    <Spotlight.Root
      query={text}
      onQueryChange={setText}
      shortcut={null}
      scrollable
      maxHeight={420}
      size={560}
      transitionProps={{ duration: 0 }}
      overlayProps={{ backgroundOpacity: 0.45, blur: 0 }}
      attributes={{ content: { 'aria-label': 'Go to' } }}
      classNames={{ actionDescription: classes.detail ?? '' }}
    >
      <Spotlight.Search
        data-palette
        placeholder="Go to a page or record…"
        aria-label="Go to a page or record"
        leftSection={<IconSearch size={16} aria-hidden />}
        onFocus={() => {
          const typed = endTypeAhead()
          if (typed) setText((before) => before + typed)
        }}
      />
      <Spotlight.ActionsList>
        {found.map(({ group, hits }) =>
          hits.length > 0 ? (
            <Spotlight.ActionsGroup key={group} label={group}>
              {hits.map((hit) => (
                <Spotlight.Action
                  key={hit.id}
                  label={hit.label}
                  description={hit.detail}
                  onClick={() => go(hit.to)}
                />
              ))}
            </Spotlight.ActionsGroup>
          ) : null,
        )}
        {pages.length > 0 && (
          <Spotlight.ActionsGroup label="Pages">
            {pages.map(({ to, label, group }) => (
              <Spotlight.Action key={to} label={label} description={group} onClick={() => go(to)} />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {isEmpty && <Spotlight.Empty>{isSearching ? 'Searching…' : 'No results found.'}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

/** Returns the records that match, by kind; requested when the user pauses. */
function useRecords(searches: Props['searches'], text: string) {
  const [pausedText] = useDebouncedValue(text, debounceMs)
  const allowed = (
    useQuery({ queryKey: ['palette'], queryFn: searches, staleTime: Infinity }).data ?? []
  ).filter((search) => search.isAllowed())
  const found = useQueries({
    queries: allowed.map((search) => ({
      queryKey: ['palette', search.group, pausedText],
      queryFn: ({ signal }: { signal: AbortSignal }) => search.find(pausedText, signal),
      enabled: pausedText.length >= shortestSearch,
    })),
  })
  return allowed.map(({ group }, index) => ({
    group,
    hits: found[index]?.data ?? [],
    isFetching: found[index]?.isFetching ?? false,
  }))
}

/**
 * Makes Enter open the best hit without an arrow key. Spotlight marks the first action when a key is pressed,
 * but hits that arrive later are inserted before that action. Spotlight stores the mark in the attribute that
 * is set here.
 */
function useMarkedFirst(words: string, ids: readonly string[]): void {
  const shown = ids.join()
  useEffect(() => {
    if (words && shown) markFirst()
  }, [words, shown])
}

const uniqueLinks = (groups: readonly MenuGroup[]) => {
  const links = [{ label: 'Dashboard', to: '/dashboard', group: 'Home' }, ...linksOf(groups)]
  return links.filter((link, index) => links.findIndex(({ to }) => to === link.to) === index)
}

function markFirst(): void {
  document.querySelectorAll('[data-action]').forEach((action, position) => {
    if (position === 0) action.setAttribute('data-selected', 'true')
    else action.removeAttribute('data-selected')
  })
}
