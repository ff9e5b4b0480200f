import { lazy, Suspense, useState } from 'react'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { Tone } from '#web/shell/Tone.tsx'
import classes from '#features/leads/web/leads.module.css'
import { loadChunk } from '#web/shell/lazy.tsx'

const ToneMenu = lazy(() => loadChunk(() => import('#features/leads/web/ToneMenu.tsx')))

export interface ToneOption {
  id: number
  name: string
  tone: string
  /** Why it cannot be chosen. */
  whyNot?: string | undefined
}

interface Props {
  /** `Status of Aalto Linen`. */
  label: string
  current: { name: string; tone: string }
  options: readonly ToneOption[]
  chosen: number
  onChoose: (id: number) => void
}

/** A status or priority that opens its menu: a plain button until the first click, because a list has forty of them. */
export function LazyMenu({ label, current, ...menu }: Props) {
  const [wanted, setWanted] = useState(false)
  const button = (props: object = {}) => (
    <button
      type="button"
      className={classes.cellButton}
      aria-haspopup="menu"
      aria-label={`${label}: ${current.name}`}
      onClick={() => setWanted(true)}
      {...props}
    >
      <Tone tone={current.tone}>{current.name}</Tone>
      <IconChevronDown size={12} aria-hidden className={classes.cellChevron} />
    </button>
  )
  if (!wanted) return button()
  return (
    <Suspense fallback={button()}>
      <ToneMenu label={label} target={button({ onClick: undefined })} {...menu} />
    </Suspense>
  )
}
