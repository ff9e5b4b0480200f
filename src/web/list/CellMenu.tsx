import { Suspense, type ReactNode } from 'react'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import classes from '#web/list/cells.module.css'
import { Menu, MenuItem } from '#web/shell/Menu.tsx'
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

export interface Choice {
  id: number
  name: string
  tone?: string
  /** Why it cannot be chosen now. */
  whyNot?: string | undefined
}

interface ChoiceProps {
  label: string
  options: readonly Choice[]
  value: number
  may: boolean
  onChoose: (id: number) => void
}

/** A coded field of a row, changed in place: `<ChoiceCell label="Status of Aalto" options={statuses} value={row.status} may={may} onChoose={…} />`. */
export function ChoiceCell({ label, options, value, may, onChoose }: ChoiceProps) {
  const current = options.find(({ id }) => id === value)
  return (
    <CellMenu label={label} current={{ name: current?.name ?? `#${value}`, tone: current?.tone ?? 'gray' }} may={may}>
      {(at) => <ChoiceMenu at={at} label={label} options={options} chosen={value} onChoose={onChoose} />}
    </CellMenu>
  )
}

interface MenuProps {
  at: MenuAt
  label: string
  options: readonly Choice[]
  chosen: number | undefined
  onChoose: (id: number) => void
}

/** The entries of a choice, the current one marked and focused. */
export function ChoiceMenu({ at, label, options, chosen, onChoose }: MenuProps) {
  return (
    <Menu {...at} label={label}>
      {options.map(({ id, name, tone, whyNot }) => (
        <MenuItem
          key={id}
          current={id === chosen}
          mark={id === chosen && <IconCheck size={14} aria-label="chosen" />}
          disabled={whyNot !== undefined}
          title={whyNot}
          onClick={() => id !== chosen && onChoose(id)}
        >
          {tone === undefined ? name : <Tone tone={tone}>{name}</Tone>}
        </MenuItem>
      ))}
    </Menu>
  )
}
