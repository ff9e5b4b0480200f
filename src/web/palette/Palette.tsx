import '@mantine/spotlight/styles.css'
import {
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, useSpotlight } from '@mantine/spotlight'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { searchText } from '#shared/search-text.ts'
import { bestFirst } from '#web/palette/bestFirst.ts'
import { newRecords } from '#web/palette/newRecords.ts'
import { closePalette, paletteStore } from '#web/palette/openPalette.ts'
import { takeAskedAct, useOfferedActs, type PageAct } from '#web/palette/pageActs.ts'
import { Choices } from '#web/palette/Choices.tsx'
import { markedHit, resultActs, type PaletteStep } from '#web/palette/resultActs.ts'
import { hitOfPage, Results, type Found, type Matches } from '#web/palette/Results.tsx'
import { Keys, SearchField } from '#web/palette/SearchField.tsx'
import { useOpenRecord, useRecentRecords } from '#web/palette/recentRecords.ts'
import { mostHits } from '#web/palette/search.ts'
import { matches, shownActs } from '#web/palette/shownActs.tsx'
import classes from '#web/palette/Palette.module.css'
import { linksOf, type MenuGroup } from '#web/shell/menu.ts'

export interface PaletteHit {
  id: string
  label: string
  detail: string
  to: string
  /** The record's number, if people know it by one. */
  number?: number
  /** What else can be done with it: a page to open, or a text to copy. */
  acts?: readonly { label: string; to?: string; copy?: string }[]
}

/** A kind of record that the palette searches. */
export interface PaletteSearch {
  group: string
  /** Whether the viewer is allowed to search these records at all; if not, no request is sent. */
  isAllowed: () => boolean
  /** Returns the address of the list with everything that matches; omitted if no list has it. */
  all?: ((text: string) => string) | undefined
  find: (text: string, signal: AbortSignal) => Promise<PaletteHit[]>
  /** Whether texts name these records by their number (#145); other records have no such link. */
  isNamedByNumber?: boolean
}

interface Props {
  groups: readonly MenuGroup[]
  searches: () => Promise<readonly PaletteSearch[]>
}

const looks = {
  action: classes.action ?? '',
  actionsGroup: classes.group ?? '',
  actionSection: classes.icon ?? '',
  actionBody: classes.body ?? '',
  actionDescription: classes.detail ?? '',
}
const shortestSearch = 2
const debounceMs = 200

/**
 * Dialog for opening a page that the viewer can see, or a record found by any part of its name, email
 * address, or number. It also offers what can be done on the open page and with the selected rows, and the
 * forms for new records.
 */
export default function Palette({ groups, searches }: Props) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const words = searchText(text.trim())
  const { run: runOnClose, runChosen } = useRunOnClose()
  const [step, setStep] = useStep()
  const record = useOpenRecord()
  const matches = useMatches(groups, searches, text.trim(), go)
  const { acts, creates } = matches
  const hits = hitsOf(matches)

  useMarkedFirst(
    words || (step?.id ?? ''),
    [...(step?.choices ?? []), ...hits, ...acts, ...creates].map(({ id }) => id),
  )

  function go(to: string): void {
    closePalette()
    void navigate({ href: to })
  }
  function run(act: PageAct): void {
    if (!act.choices) return runOnClose(act)
    setStep(act)
    setText('')
  }
  function showActs(hit: PaletteHit): void {
    setStep({ ...resultActs(hit, go), search: text })
    setText('')
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, shiftKey } = event
    const marked = key === 'Tab' && !shiftKey ? markedHit(hits) : undefined
    if (marked && !step) {
      event.preventDefault()
      showActs(marked)
    } else if (key === 'Backspace' && text === '' && step) {
      // It would delete from the search that is shown again.
      event.preventDefault()
      setText(step.search ?? '')
      setStep(undefined)
    } else if (key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      // Also keeps the palette from opening it here.
      event.preventDefault()
      event.stopPropagation()
      openInNewTab()
    }
  }

  return (
    <Frame
      text={text}
      onText={setText}
      onClosed={() => {
        setStep(undefined)
        runChosen()
      }}
    >
      <SearchField
        step={step}
        record={record}
        onKey={press}
        onTyped={(typed) => setText((before) => before + typed)}
      />
      {step ? (
        <Choices step={step} words={words} onChoose={runOnClose} />
      ) : (
        <Results
          {...matches}
          groups={groups}
          record={record}
          search={text.trim()}
          onRun={run}
          onOpen={go}
          onActs={showActs}
        />
      )}
      <Keys step={step} />
    </Frame>
  )
}

interface FrameProps {
  text: string
  onText: (text: string) => void
  onClosed: () => void
  children: ReactNode
}

const Frame = ({ text, onText, onClosed, children }: FrameProps) => (
  <Spotlight.Root
    store={paletteStore}
    query={text}
    onQueryChange={onText}
    onExitTransitionEnd={onClosed}
    shortcut={null}
    scrollable
    maxHeight={420}
    size={560}
    transitionProps={{ duration: 0 }}
    overlayProps={{ backgroundOpacity: 0.45, blur: 0 }}
    attributes={{ content: { 'aria-label': 'Search or jump to' } }}
    classNames={looks}
  >
    {children}
  </Spotlight.Root>
)

/** Opens the marked result in another browser tab, if it has an address. */
function openInNewTab(): void {
  const to = document.querySelector<HTMLElement>('[data-action][data-selected]')?.dataset['to']
  if (to !== undefined) window.open(to, '_blank', 'noopener')
}

/** Returns what matches a text. */
function useMatches(
  groups: readonly MenuGroup[],
  searches: Props['searches'],
  text: string,
  go: (to: string) => void,
): Matches {
  const words = searchText(text)
  const acts = useActs(words)
  return {
    found: bestFirst(useRecords(searches, text), text),
    acts,
    creates: newRecords(go).filter(
      ({ label }) => searchText(label).includes(words) && !acts.some((act) => act.label === label),
    ),
    recent: useRecentRecords().filter(({ label }) => searchText(label).includes(words)),
    pages: uniqueLinks(groups).filter(({ label, group }) => searchText(`${group} ${label}`).includes(words)),
  }
}

/** Returns the results that have an address. */
const hitsOf = ({ found, recent, pages }: Matches): PaletteHit[] => [
  ...found.flatMap(({ hits }) => hits),
  ...recent,
  ...pages.map(hitOfPage),
]

/** Returns the actions of the open page that match: first those with a key, then those with a button. */
function useActs(text: string): PageAct[] {
  const offered = useOfferedActs()
  const { opened } = useSpotlight(paletteStore)
  // Read again for each text, because a part of the page may have loaded later.
  const shown = useMemo(() => (opened ? shownActs(document, text) : []), [opened, text])
  return [
    ...offered.filter((act) => matches(act, text)),
    ...shown.filter(({ label }) => !offered.some((act) => act.label === label)),
  ]
}

/** Returns the second step; the palette opens with that of the action that it was opened for. */
function useStep() {
  const [step, setStep] = useState<PaletteStep>()
  useAskedAct(setStep)
  return [step, setStep] as const
}

/** Shows the options of the action that the palette was opened for. */
function useAskedAct(show: (act: PageAct) => void): void {
  const { opened } = useSpotlight(paletteStore)
  const showAsked = useEffectEvent(() => {
    const act = takeAskedAct()
    if (act?.choices) show(act)
  })
  useEffect(() => {
    if (opened) showAsked()
  }, [opened])
}

/** Runs an action after the palette has closed, because the dialog returns the focus when it closes. */
function useRunOnClose() {
  const chosen = useRef<PageAct>(undefined)
  return {
    run: (act: PageAct) => {
      chosen.current = act
      closePalette()
    },
    runChosen: () => {
      chosen.current?.run()
      chosen.current = undefined
    },
  }
}

/** Returns the records that match, by kind; requested when the user pauses. */
function useRecords(searches: Props['searches'], text: string): Found[] {
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
  const isPaused = pausedText === text || text.length < shortestSearch
  return allowed.map(({ group, all, isNamedByNumber = false }, index) => {
    const hits = found[index]?.data ?? []
    return {
      group,
      hits,
      isNamedByNumber,
      // Searches return up to this number of records.
      all: hits.length < mostHits ? undefined : all?.(pausedText),
      isFetching: !isPaused || (found[index]?.isFetching ?? false),
    }
  })
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
