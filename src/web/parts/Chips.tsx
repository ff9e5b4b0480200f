import type { ComponentProps, ReactNode } from 'react'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import classes from '#web/parts/controls.module.css'

/** A list of `Chip`s, which ends with `ClearChips`. */
export const Chips = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={classes.chips} aria-label={label}>
    {children}
  </ul>
)

/** A text that a click removes. */
export const Chip = ({ text, ...rest }: { text: string } & ComponentProps<'button'>) => (
  <li>
    <button type="button" {...rest} className={classes.chip}>
      <span className={classes.chipText} title={text}>
        {text}
      </span>
      <IconX size={12} aria-hidden />
    </button>
  </li>
)

/** A button that removes all chips. */
export const ClearChips = (props: ComponentProps<'button'>) => (
  <li>
    <button type="button" {...props} className={classes.clearChips} />
  </li>
)
