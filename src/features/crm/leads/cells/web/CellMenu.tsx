import { Suspense, type ReactNode } from 'react'
import classes from '#features/crm/leads/list/web/leads.module.css'
import { useMenuButton, type MenuAt } from '#web/shell/useMenuButton.ts'
import { Tone } from '#web/shell/Tone.tsx'

interface Props {
  /** `Status of Aalto Linen`. */
  label: string
  current: { name: string; tone: string }
  may: boolean
  /** The menu: mounted, and its code loaded, by the first click, because a list has forty of them. A form that it opened stays when the right goes. */
  children: (at: MenuAt) => ReactNode
}

/** A status or priority that opens its menu. */
export function CellMenu({ label, current, may, children }: Props) {
  const { props, wanted, at } = useMenuButton()
  const shown = <Tone tone={current.tone}>{current.name}</Tone>
  return (
    <>
      {may ? (
        <button type="button" className={classes.cellButton} aria-label={`${label}: ${current.name}`} {...props}>
          {shown}
        </button>
      ) : (
        shown
      )}
      {wanted && <Suspense>{children({ ...at, opened: at.opened && may })}</Suspense>}
    </>
  )
}
