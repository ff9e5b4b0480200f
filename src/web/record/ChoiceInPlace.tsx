import type { ReactNode } from 'react'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import classes from '#web/record/record.module.css'
import { Menu, MenuItem } from '#web/parts/Menu.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'

interface Props {
  /** What is chosen: `Assignee`. */
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  /** What stands there, where it is not the words of the option. */
  children: ReactNode
  /** The accessible name, where what stands there says nothing. */
  name?: string | undefined
  onChoose: (value: string) => void
}

/** A choice that is saved as soon as it is made. A menu, because the arrows change the value of a closed select at once. */
export function ChoiceInPlace({ label, value, options, children, name, onChoose }: Props) {
  const { props, wanted, at } = useMenuButton()
  return (
    <>
      <button type="button" className={classes.inPlace} aria-label={name} title={`Change ${label}`} {...props}>
        {children}
      </button>
      {wanted && (
        <Menu {...at} label={label}>
          {options.map(([option, words]) => (
            <MenuItem
              key={option}
              current={option === value}
              mark={option === value && <IconCheck size={14} aria-label="chosen" />}
              onClick={() => option !== value && onChoose(option)}
            >
              {words}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  )
}
