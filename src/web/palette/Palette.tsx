import '@mantine/spotlight/styles.css'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, useSpotlight } from '@mantine/spotlight'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { searchText } from '#shared/search-text.ts'
import { bestFirst } from '#web/palette/bestFirst.ts'
import { FoundRecords, Hit } from '#web/palette/FoundRecords.tsx'
import { newRecords } from '#web/palette/newRecords.ts'
import { closePalette, paletteStore } from '#web/palette/openPalette.ts'
import { useOfferedActs, type PageAct } from '#web/palette/pageActs.ts'
import { useRecentRecords } from '#web/palette/recentRecords.ts'
import { mostHits } from '#web/palette/search.ts'
import { shownActs } from '#web/palette/shownActs.ts'
import classes from '#web/palette/Palette.module.css'
import { goLinksOf, linksOf, type MenuGroup } from '#web/shell/menu.ts'
import { endTypeAhead } from '#web/keys/typeAhead.ts'

export interface PaletteHit {
  id: string
  label: string
  detail: string
  to: string
  /** The record's number, if people know it by one. */
  number?: number
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
  const found = bestFirst(useRecords(searches, text.trim()), text.trim())
  const words = searchText(text.trim())
  const { run: runOnClose, runChosen } = useRunOnClose()
  const [step, setStep] = useState<PageAct>()
  const acts = useActs(words)
  const creates = newRecords(go).filter(
    ({ label }) => searchText(label).includes(words) && !acts.some((act) => act.label === label),
  )
  const recent = useRecentRecords().filter(({ label }) => searchText(label).includes(words))
  const pages = uniqueLinks(groups).filter(({ label, group }) =>
    searchText(`${group} ${label}`).includes(words),
  )
  const isEmpty = [acts, creates, recent, pages, ...found.map(({ hits }) => hits)].every(
    ({ length }) => length === 0,
  )

  const goKeys = new Map(goLinksOf(groups).map(({ key, to }) => [to, key.toUpperCase()]))

  useMarkedFirst(words || (step?.id ?? ''), [
    ...(step?.choices ?? []).map(({ id }) => id),
    ...found.flatMap(({ hits }) => hits).map(({ id }) => id),
    ...[...acts, ...recent, ...creates].map(({ id }) => id),
    ...pages.map(({ to }) => to),
  ])

  function go(to: string): void {
    closePalette()
    void navigate({ href: to })
  }
  function run(act: PageAct): void {
    if (!act.choices) return runOnClose(act)
    setStep(act)
    setText('')
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Backspace' && text === '' && step) setStep(undefined)
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      // Also keeps the palette from opening it here.
      event.preventDefault()
      event.stopPropagation()
      openInNewTab()
    }
  }

  return (
    <Spotlight.Root
      store={paletteStore}
      query={text}
      onQueryChange={setText}
      onExitTransitionEnd={() => {
        setStep(undefined)
        runChosen()
      }}
      shortcut={null}
      scrollable
      maxHeight={420}
      size={560}
      transitionProps={{ duration: 0 }}
      overlayProps={{ backgroundOpacity: 0.45, blur: 0 }}
      attributes={{ content: { 'aria-label': 'Search or jump to' } }}
      classNames={looks}
    >
      <SearchField step={step} onKey={press} onTyped={(typed) => setText((before) => before + typed)} />
      {step ? (
        <Choices step={step} words={words} onChoose={runOnClose} />
      ) : (
        <Results
          {...{ found, acts, recent, creates, pages, isEmpty, goKeys, search: text.trim() }}
          onRun={run}
          onOpen={go}
        />
      )}
      <Keys isStep={step !== undefined} />
    </Spotlight.Root>
  )
}

interface SearchProps {
  step: PageAct | undefined
  onKey: (event: KeyboardEvent<HTMLInputElement>) => void
  /** Called with what was typed before the field was there. */
  onTyped: (typed: string) => void
}

function SearchField({ step, onKey, onTyped }: SearchProps) {
  return (
    <Spotlight.Search
      data-palette
      placeholder={step ? 'Choose a value…' : 'Search, jump, or act on this page…'}
      aria-label={step ? step.label : 'Search or jump to'}
      leftSection={step ? <StepName name={step.label} /> : <IconSearch size={16} aria-hidden />}
      {...(step && { leftSectionWidth: 240 })}
      onKeyDownCapture={onKey}
      onFocus={() => {
        const typed = endTypeAhead()
        if (typed) onTyped(typed)
      }}
    />
  )
}

const Keys = ({ isStep }: { isStep: boolean }) => (
  <Spotlight.Footer className={classes.foot}>
    <KeyHint name="↑ ↓">choose</KeyHint>
    <KeyHint name="Enter">{isStep ? 'set' : 'open'}</KeyHint>
    {isStep ? <KeyHint name="Backspace">back</KeyHint> : <KeyHint name="Ctrl Enter">new tab</KeyHint>}
    {!isStep && <KeyHint name="?">all keys</KeyHint>}
  </Spotlight.Footer>
)

const KeyHint = ({ name, children }: { name: string; children: string }) => (
  <span>
    <kbd className={classes.key}>{name}</kbd> {children}
  </span>
)

/** The action whose value is being chosen, in front of the field. */
const StepName = ({ name }: { name: string }) => <span className={classes.step}>{name}</span>

/** The second step of an action: its options. */
function Choices({
  step,
  words,
  onChoose,
}: {
  step: PageAct
  words: string
  onChoose: (act: PageAct) => void
}) {
  const shown = (step.choices ?? []).filter(({ label }) => searchText(label).includes(words))
  return (
    <Spotlight.ActionsList>
      <Spotlight.ActionsGroup label={step.label}>
        {shown.map(({ id, label, isCurrent, whyNot, run }) => (
          <Spotlight.Action
            key={id}
            label={label}
            description={whyNot}
            disabled={whyNot !== undefined}
            rightSection={isCurrent && <IconCheck size={14} aria-label="chosen" />}
            onClick={() => onChoose({ id, label, run })}
          />
        ))}
      </Spotlight.ActionsGroup>
      {shown.length === 0 && <Spotlight.Empty>No results found.</Spotlight.Empty>}
    </Spotlight.ActionsList>
  )
}

/** Opens the marked result in another browser tab, if it has an address. */
function openInNewTab(): void {
  const to = document.querySelector<HTMLElement>('[data-action][data-selected]')?.dataset['to']
  if (to !== undefined) window.open(to, '_blank', 'noopener')
}

interface Found {
  group: string
  hits: readonly PaletteHit[]
  all: string | undefined
  isFetching: boolean
}

interface ResultsProps {
  found: readonly Found[]
  acts: readonly PageAct[]
  recent: readonly PaletteHit[]
  creates: readonly PageAct[]
  pages: readonly { to: string; label: string; group: string }[]
  /** Letters of pages, in uppercase, by address. */
  goKeys: ReadonlyMap<string, string>
  isEmpty: boolean
  search: string
  onRun: (act: PageAct) => void
  onOpen: (to: string) => void
}

/** The results, the best hits first. */
function Results(props: ResultsProps) {
  const { found, acts, recent, creates, pages, isEmpty, goKeys, search, onRun, onOpen } = props
  const isSearching = found.some(({ isFetching }) => isFetching)
  return (
    <Spotlight.ActionsList>
      {found.map(({ group, hits, all }) =>
        hits.length > 0 ? <FoundRecords key={group} {...{ group, hits, all, search, onOpen }} /> : null,
      )}
      {[...new Set(acts.map(groupOf))].map((group) => (
        <Acts key={group} label={group} acts={acts.filter((act) => groupOf(act) === group)} onRun={onRun} />
      ))}
      {recent.length > 0 && (
        <Spotlight.ActionsGroup label="Recent">
          {recent.map((hit) => (
            <Hit key={hit.id} hit={hit} search={search} onOpen={onOpen} />
          ))}
        </Spotlight.ActionsGroup>
      )}
      {creates.length > 0 && <Acts label="Create" acts={creates} onRun={onRun} />}
      {pages.length > 0 && (
        <Spotlight.ActionsGroup label="Pages">
          {pages.map(({ to, label, group }) => (
            <Spotlight.Action
              key={to}
              data-to={to}
              label={label}
              description={group}
              rightSection={goKeys.get(to) && <kbd className={classes.key}>G {goKeys.get(to)}</kbd>}
              onClick={() => onOpen(to)}
            />
          ))}
        </Spotlight.ActionsGroup>
      )}
      {isEmpty && <Spotlight.Empty>{isSearching ? 'Searching…' : 'No results found.'}</Spotlight.Empty>}
    </Spotlight.ActionsList>
  )
}

const groupOf = ({ group = 'This page' }: PageAct) => group

const Acts = ({
  label,
  acts,
  onRun,
}: {
  label: string
  acts: readonly PageAct[]
  onRun: (act: PageAct) => void
}) => (
  <Spotlight.ActionsGroup label={label}>
    {acts.map((act) => (
      <Spotlight.Action
        key={act.id}
        label={act.label}
        closeSpotlightOnTrigger={!act.choices}
        rightSection={
          act.letter ? (
            <kbd className={classes.key}>{act.letter.toUpperCase()}</kbd>
          ) : (
            act.choices && <IconChevronRight size={14} aria-hidden />
          )
        }
        onClick={() => onRun(act)}
      />
    ))}
  </Spotlight.ActionsGroup>
)

/** Returns the actions of the open page that match: first those with a key, then those with a button. */
function useActs(text: string): PageAct[] {
  const offered = useOfferedActs()
  const { opened } = useSpotlight(paletteStore)
  // Read again for each text, because a part of the page may have loaded later.
  const shown = useMemo(() => (opened ? shownActs(document, text) : []), [opened, text])
  return [
    ...offered.filter(({ label }) => searchText(label).includes(text)),
    ...shown.filter(({ label }) => !offered.some((act) => act.label === label)),
  ]
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
  return allowed.map(({ group, all }, index) => {
    const hits = found[index]?.data ?? []
    return {
      group,
      hits,
      // Searches return up to this number of records.
      all: hits.length < mostHits ? undefined : all?.(pausedText),
      isFetching: found[index]?.isFetching ?? false,
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
