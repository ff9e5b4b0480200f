import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import classes from '#web/composer/composer.module.css'
import { usePageKeys } from '#web/keys/usePageKeys.ts'

/** A kind of text that can be written; its label names it. */
export interface ComposerTab {
  id: string
  label: string
  icon: ReactNode
  /** Key that moves the focus to the tab's text. */
  letter: string
  /** Whether only admin users can read what is written. */
  isInternal?: boolean
  /** Who receives it, shown next to the tabs. */
  to?: ReactNode
  /** Form of the tab. It stays mounted while another tab is shown, so that it keeps its input. */
  content: ReactNode
}

interface Props {
  tabs: readonly ComposerTab[]
  chosen: string
  onChoose: (id: string) => void
}

/** Box for writing on a record's page: a tab for each kind of text, with its own form and draft. */
export function Composer({ tabs, chosen, onChoose }: Props) {
  const box = useRef<HTMLElement>(null)
  const id = useId()
  const shown = tabs.find((tab) => tab.id === chosen) ?? tabs[0]!
  const write = (tab: string) => {
    onChoose(tab)
    // The tab's text is visible after the next render.
    requestAnimationFrame(() =>
      box.current
        ?.querySelector<HTMLElement>('[role=tabpanel]:not([hidden]) :is(textarea, [contenteditable=true])')
        ?.focus(),
    )
  }
  usePageKeys(Object.fromEntries(tabs.map((tab) => [tab.letter, () => write(tab.id)])))
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    const at = (tabs.indexOf(shown) + by + tabs.length) % tabs.length
    onChoose(tabs[at]!.id)
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[at]?.focus()
  }
  return (
    <section
      ref={box}
      className={classes.composer}
      aria-label="Write"
      data-internal={shown.isInternal || undefined}
    >
      <div className={classes.top}>
        <div className={classes.tabs} role="tablist" aria-label="Write" onKeyDown={move}>
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}-${tab.id}`}
              aria-selected={tab === shown}
              aria-controls={`${id}-${tab.id}-panel`}
              tabIndex={tab === shown ? 0 : -1}
              title={`${tab.label} (${tab.letter})`}
              onClick={() => onChoose(tab.id)}
            >
              {tab.icon}
              {tab.label}
            </button>
          ))}
        </div>
        {shown.to && <span className={classes.to}>{shown.to}</span>}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.id}
          role="tabpanel"
          id={`${id}-${tab.id}-panel`}
          aria-labelledby={`${id}-${tab.id}`}
          hidden={tab !== shown}
        >
          {tab.content}
        </div>
      ))}
    </section>
  )
}
