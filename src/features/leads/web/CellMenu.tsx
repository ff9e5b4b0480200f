import { Suspense, useState, type ReactElement, type ReactNode, type Ref } from 'react'
import classes from '#features/leads/web/leads.module.css'
import { Tone } from '#web/shell/Tone.tsx'

export interface Opened {
  /** The button that was clicked, for the menu to stand at. */
  target: ReactElement<{ ref?: Ref<HTMLButtonElement> }>
  /** What stands there for somebody who may not change it. */
  shown: ReactNode
}

interface Props {
  /** `Status of Aalto Linen`. */
  label: string
  current: { name: string; tone: string }
  may: boolean
  /** The menu: mounted, and its code loaded, by the first click. */
  children: (opened: Opened) => ReactNode
}

/** A status or priority that opens its menu: a plain button until the first click, because a list has forty of them. */
export function CellMenu({ label, current, may, children }: Props) {
  const [wanted, setWanted] = useState(false)
  const shown = <Tone tone={current.tone}>{current.name}</Tone>
  const button = (props: object) => (
    <button type="button" className={classes.cellButton} aria-haspopup="menu" aria-label={`${label}: ${current.name}`} {...props}>
      {shown}
    </button>
  )
  const closed = may ? button({ onClick: () => setWanted(true) }) : shown
  return wanted ? <Suspense fallback={closed}>{children({ target: button({}), shown })}</Suspense> : closed
}
