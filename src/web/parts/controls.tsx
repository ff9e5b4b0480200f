import type { ChangeEvent, ComponentProps, ReactNode } from 'react'
import { Loader } from '@mantine/core'
import IconSelector from '@tabler/icons-react/dist/esm/icons/IconSelector.mjs'
import classes from '#web/parts/controls.module.css'
import { PageLink } from '#web/parts/PageLink.tsx'

/*
 * What stands at the head of every list: plain elements that look like the library's. A page begins with a dozen of them,
 * and the library's parts take several times as long to draw (docs/decisions/007-the-first-page-is-drawn-once.md).
 */

interface Labelled {
  /** Its name for those who cannot see the icon, and its tip for the others. */
  label: string
  children: ReactNode
}

interface IconButtonProps extends Labelled, Omit<ComponentProps<'button'>, keyof Labelled> {
  /** While what it did is under way. */
  busy?: boolean
  /** Without a frame, among others of its kind. */
  bare?: boolean
}

/** A button that is an icon. */
export function IconButton({ label, busy = false, bare, children, ...rest }: IconButtonProps) {
  return (
    <button type="button" className={classes.icon} data-bare={bare} aria-label={label} title={label} aria-busy={busy || undefined} disabled={busy} {...rest}>
      {busy ? <Loader size={14} /> : children}
    </button>
  )
}

interface TextProps {
  icon: ReactNode
  /** The one act that the page is for. */
  primary?: boolean
}

export const TextButton = ({ icon, primary, children, ...rest }: TextProps & ComponentProps<'button'>) => (
  <button type="button" className={classes.text} data-primary={primary} {...rest}>
    {icon}
    {children}
  </button>
)

export const TextLink = ({ icon, to, primary, children }: TextProps & { to: string; children: ReactNode }) => (
  <PageLink to={to} className={classes.text} data-primary={primary}>
    {icon}
    {children}
  </PageLink>
)

interface SelectProps {
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  onChoose: (value: string) => void
}

/** One of a few, by the browser's own list. */
export const Select = ({ label, value, options, onChoose }: SelectProps) => (
  <span className={classes.selectFrame}>
    <select
      className={classes.field}
      aria-label={label}
      value={value}
      onChange={(event: ChangeEvent<HTMLSelectElement>) => onChoose(event.currentTarget.value)}
    >
      {options.map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
    <IconSelector size={14} aria-hidden />
  </span>
)
