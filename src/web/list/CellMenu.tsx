import { Suspense, type ReactNode } from 'react'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { CellButton } from '#web/list/cells.tsx'
import { offersChoices, type PaletteChoice } from '#web/palette/choices.ts'
import { Menu, MenuItem } from '#web/parts/Menu.tsx'
import { useMenuButton, type MenuAt } from '#web/parts/useMenuButton.ts'
import { Tone } from '#web/parts/Tone.tsx'

interface Props {
  /** Such as `Status of Aalto Linen`. */
  label: string
  /** Without a tone, as for a person, the value is shown as plain text. */
  current: { name: string; tone?: string }
  may: boolean
  /** `Flag` for a priority. */
  as?: typeof Tone | undefined
  /** Shown instead of the name, such as initials. */
  shown?: ReactNode
  /**
   * Renders the menu, which is loaded and mounted on the first click because a list has about forty of them.
   * A form opened from the menu stays open if the permission is revoked.
   */
  children: (at: MenuAt) => ReactNode
  /** The options of the menu, for the palette. */
  choices?: () => readonly PaletteChoice[]
}

/** A status or priority cell that opens a menu. */
export function CellMenu({ label, current, may, as, shown: mark, children, choices }: Props) {
  const { props, wanted, at } = useMenuButton()
  const shown = mark ?? inTone(current, as)
  return (
    <>
      {may ? (
        <CellButton
          aria-label={`${label}: ${current.name}`}
          // In the palette, the record is the page's own.
          data-changes={label.split(' of ')[0]}
          data-value={current.name}
          {...props}
          {...(choices && { ref: offersChoices(choices) })}
        >
          {shown}
        </CellButton>
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
  /** Why the option cannot be chosen right now. */
  whyNot?: string | undefined
}

interface ChoiceProps {
  label: string
  options: readonly Choice[]
  value: number
  may: boolean
  as?: typeof Tone | undefined
  onChoose: (id: number) => void
}

/**
 * A coded field of a row that is edited in place: `<ChoiceCell label="Status of Aalto" options={statuses}
 * value={row.status} may={may} onChoose={…} />`.
 */
export function ChoiceCell({ label, options, value, may, as, onChoose }: ChoiceProps) {
  const current = options.find(({ id }) => id === value)
  return (
    <CellMenu
      label={label}
      current={{ name: current?.name ?? `#${value}`, tone: current?.tone ?? 'gray' }}
      may={may}
      as={as}
      choices={() => choicesFor(options, value, onChoose)}
    >
      {(at) => (
        <ChoiceMenu at={at} label={label} options={options} chosen={value} as={as} onChoose={onChoose} />
      )}
    </CellMenu>
  )
}

/** Returns the options of a menu for the palette. */
export const choicesFor = (
  options: readonly Choice[],
  chosen: number | undefined,
  onChoose: (id: number) => void,
): PaletteChoice[] =>
  options.map(({ id, name, whyNot }) => ({
    id: String(id),
    label: name,
    isCurrent: id === chosen,
    whyNot,
    run: () => id !== chosen && onChoose(id),
  }))

interface MenuProps {
  at: MenuAt
  label: string
  options: readonly Choice[]
  chosen: number | undefined
  as?: typeof Tone | undefined
  onChoose: (id: number) => void
}

/** Menu of options, with the current one marked and focused. */
export function ChoiceMenu({ at, label, options, chosen, as, onChoose }: MenuProps) {
  return (
    <Menu {...at} label={label}>
      {options.map(({ id, whyNot, ...shown }) => (
        <MenuItem
          key={id}
          current={id === chosen}
          mark={id === chosen && <IconCheck size={14} aria-label="chosen" />}
          disabled={whyNot !== undefined}
          title={whyNot}
          onClick={() => id !== chosen && onChoose(id)}
        >
          {inTone(shown, as)}
        </MenuItem>
      ))}
    </Menu>
  )
}

const inTone = ({ name, tone }: { name: string; tone?: string }, As = Tone) =>
  tone === undefined ? name : <As tone={tone}>{name}</As>
