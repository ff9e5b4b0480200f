import type { ComponentProps } from 'react'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import classes from '#web/parts/controls.module.css'

interface Props extends Omit<ComponentProps<'input'>, 'type' | 'width'> {
  width: number
  onClear: () => void
}

/** A search field that looks like the other controls above a list; if it has text, a button clears it. */
export const SearchField = ({ width, onClear, ...rest }: Props) => (
  <span className={classes.searchFrame} style={{ flex: `0 1 ${width}px` }}>
    <IconSearch size={14} aria-hidden />
    <input {...rest} type="search" className={classes.field} />
    {rest.value && (
      <button type="button" className={classes.clear} aria-label="Clear search" onClick={onClear}>
        <IconX size={13} aria-hidden />
      </button>
    )}
  </span>
)
