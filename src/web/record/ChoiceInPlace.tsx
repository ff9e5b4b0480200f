import type { ReactNode } from 'react'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import classes from '#web/record/record.module.css'
import { offersChoices } from '#web/palette/choices.ts'
import { Menu, MenuItem } from '#web/parts/Menu.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'

interface Props {
  /** Label of the field, such as `Assignee`. */
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  /** Content of the button, if it differs from the option's label. */
  children: ReactNode
  /** Accessible name, if the content provides none. */
  name?: string | undefined
  onChoose: (value: string) => void
}

/** A choice that is saved immediately. It is a menu because arrow keys would change the value of a closed select. */
export function ChoiceInPlace({ label, value, options, children, name, onChoose }: Props) {
  const { props, wanted, at } = useMenuButton()
  return (
    <>
      <button
        type="button"
        className={classes.inPlace}
        aria-label={name}
        title={`Edit ${label}`}
        data-changes={label}
        data-value={options.find(([option]) => option === value)?.[1]}
        {...props}
        ref={offersChoices(() =>
          options.map(([option, words]) => ({
            id: option,
            label: words,
            isCurrent: option === value,
            run: () => option !== value && onChoose(option),
          })),
        )}
      >
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
