import { Suspense, useId, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import classes from '#web/composer/composer.module.css'
import { ComposerBox } from '#web/composer/ComposerBox.tsx'
import { useShownComposer } from '#web/composer/nextComposer.ts'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import { beginTypeAhead, endTypeAhead, isTypingAhead } from '#web/keys/typeAhead.ts'
import { LoadingState } from '#web/list/states.tsx'
import { usePageActs } from '#web/palette/pageActs.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

/** Loads after the page, as the forms do. */
const TabDraft = lazyPart(() => import('#web/composer/TabDraft.tsx'))

/** A kind of text that can be written; its label names it. */
export interface ComposerTab {
  id: string
  label: string
  icon: ReactNode
  /** Key that moves the focus to the start of the tab; none in a dialog, where the keys of the page do nothing. */
  letter?: string
  /** Whether only admin users can read what is written. */
  isInternal?: boolean
  /** Who receives it, shown next to the tabs. */
  to?: ReactNode
  /** Called when its key or an action of the page opens the tab, but not when the tab itself is clicked. */
  onStart?: () => void
  /** Name of its form's draft, which the tab shows while another one is open. */
  draft?: string
  /**
   * Form of the tab, whose code may load late. Once shown, it stays mounted while another tab is shown, so that it
   * keeps its input.
   */
  content: ReactNode
}

interface Props {
  /** Accessible name, for a page with several composers. */
  label?: string
  /** Words of the line that the composer starts as, until it is used; without them, it starts open. */
  line?: string | undefined
  tabs: readonly ComposerTab[]
  chosen: string
  onChoose: (id: string) => void
}

/** Returns where the shown tab starts: at its text, or at a field before it that the tab marks. */
const startIn = (box: HTMLElement) =>
  box.querySelector<HTMLElement>(
    '[data-panel]:not([hidden]) :is([data-start], textarea, [contenteditable=true])',
  )

/**
 * Moves the focus to the start of the tab that is shown, as soon as it is there, with the keys typed until then,
 * unless the user has turned to something else.
 */
function focusStart(box: RefObject<HTMLElement | null>): void {
  if (!isTypingAhead()) return
  const start = box.current && startIn(box.current)
  if (box.current && !start) {
    requestAnimationFrame(() => focusStart(box))
    return
  }
  start?.focus()
  if (start?.isContentEditable) continueAtEnd(start)
  const typed = endTypeAhead()
  if (!start || !typed) return
  if (start.dataset.start === undefined) document.execCommand('insertText', false, typed)
  else pressKeys(typed)
}

/** Puts the cursor behind a draft; a text area has it there. */
function continueAtEnd(text: HTMLElement): void {
  const selection = getSelection()
  selection?.selectAllChildren(text)
  selection?.collapseToEnd()
}

/** Presses keys one after the other where the focus is, which a key can move to the text. */
function pressKeys(keys: string): void {
  for (const key of keys) {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
    if (document.activeElement?.dispatchEvent(event)) document.execCommand('insertText', false, key)
  }
}

const isWritingIn = (box: HTMLElement | null): boolean =>
  document.activeElement?.matches('input, textarea, [contenteditable=true]') === true &&
  box?.contains(document.activeElement) === true

const titleOf = ({ label, letter }: ComposerTab) => (letter ? `${label} (${letter})` : undefined)

/** Shows a tab if it isn't shown, which is visible after the next render, and moves the focus to its start. */
function openTab(box: RefObject<HTMLElement | null>, tab: string, onChoose?: (id: string) => void): void {
  beginTypeAhead()
  if (!onChoose) return focusStart(box)
  onChoose(tab)
  requestAnimationFrame(() => focusStart(box))
}

/** Box for writing on a record's page: a tab for each kind of text, with its own form and draft. */
export function Composer({ label = 'Write', line, tabs, chosen, onChoose }: Props) {
  const box = useRef<HTMLElement>(null)
  const id = useId()
  const shown = tabs.find((tab) => tab.id === chosen) ?? tabs[0]!
  const [isLine, setLine] = useState(line !== undefined)
  const [opened, setOpened] = useState<readonly string[]>([])
  if (!isLine && !opened.includes(shown.id)) setOpened([...opened, shown.id])
  const show = (tab: string) => {
    setLine(false)
    openTab(box, tab, tab === shown.id ? undefined : onChoose)
  }
  const write = useShownComposer(
    (tab) => {
      tabs.find((one) => one.id === tab)?.onStart?.()
      show(tab)
    },
    () => (isWritingIn(box.current) ? shown.id : undefined),
  )
  usePageKeys(
    Object.fromEntries(tabs.flatMap(({ id: tab, letter }) => (letter ? [[letter, () => write(tab)]] : []))),
  )
  usePageActs(
    tabs.map(({ id: tab, label, letter, icon }) => ({
      id: tab,
      label,
      icon,
      ...(letter && { letter }),
      run: () => write(tab),
    })),
  )
  if (isLine)
    return (
      <ComposerBox ref={box} label={label}>
        <Line words={line} tabs={tabs} onWrite={write} />
      </ComposerBox>
    )
  return (
    <ComposerBox ref={box} label={label} isInternal={shown.isInternal}>
      <div className={classes.top}>
        {tabs.length === 1 ? (
          <span className={classes.only} title={titleOf(shown)}>
            {shown.icon}
            {shown.label}
          </span>
        ) : (
          <Tabs label={label} tabs={tabs} shown={shown} id={id} onChoose={onChoose} onWrite={show} />
        )}
        {shown.to && <span className={classes.to}>{shown.to}</span>}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.id}
          data-panel
          {...(tabs.length > 1 && {
            role: 'tabpanel',
            id: `${id}-${tab.id}-panel`,
            'aria-labelledby': `${id}-${tab.id}`,
          })}
          hidden={tab !== shown}
        >
          {/* About as high as a form, so that the page above it doesn’t move when it comes. */}
          <Suspense fallback={<LoadingState rows={2} />}>{opened.includes(tab.id) && tab.content}</Suspense>
        </div>
      ))}
    </ComposerBox>
  )
}

interface LineProps extends Pick<Props, 'tabs'> {
  words: ReactNode
  /** Opens the composer at a tab. */
  onWrite: (id: string) => void
}

/** The composer before it is used: the first tab by the line's words, then the others by their names. */
const Line = ({ words, tabs, onWrite }: LineProps) => (
  <div className={classes.line}>
    {tabs.map((tab, at) => (
      <button key={tab.id} type="button" onClick={() => onWrite(tab.id)}>
        {at > 0 && tab.icon}
        <span>{at === 0 ? words : tab.label}</span>
        {tab.letter && <kbd aria-hidden>{tab.letter.toUpperCase()}</kbd>}
      </button>
    ))}
  </div>
)

interface TabsProps extends Pick<Props, 'tabs' | 'onChoose'> {
  label: string
  shown: ComposerTab
  /** Start of the elements' IDs. */
  id: string
  /** Shows a tab, and moves the focus to its text. */
  onWrite: (id: string) => void
}

function Tabs({ label, tabs, shown, id, onChoose, onWrite }: TabsProps) {
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    const at = (tabs.indexOf(shown) + by + tabs.length) % tabs.length
    onChoose(tabs[at]!.id)
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[at]?.focus()
  }
  return (
    <div className={classes.tabs} role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          id={`${id}-${tab.id}`}
          aria-selected={tab === shown}
          aria-controls={`${id}-${tab.id}-panel`}
          tabIndex={tab === shown ? 0 : -1}
          title={titleOf(tab)}
          // After a click, the user types next; arrow keys move to the next tab.
          onClick={({ detail }) => (detail > 0 ? onWrite(tab.id) : onChoose(tab.id))}
        >
          {tab.icon}
          {tab.label}
          {tab.draft !== undefined && tab !== shown && (
            <Suspense>
              <TabDraft form={tab.draft} />
            </Suspense>
          )}
        </button>
      ))}
    </div>
  )
}
