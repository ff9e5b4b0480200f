import type { ChangeEvent, ComponentProps, ReactNode } from 'react'
import { Loader } from '@mantine/core'
import IconSelector from '@tabler/icons-react/dist/esm/icons/IconSelector.mjs'
import classes from '#web/parts/controls.module.css'
import { PageLink } from '#web/parts/PageLink.tsx'

/*
 * Controls above every list: plain elements that look like the library's. A page starts with a dozen of them,
 * and the library's components take several times as long to render
 * (docs/decisions/007-render-the-first-page-once.md).
 */

interface Labelled {
  /** The icon's accessible name and tooltip. */
  label: string
  children: ReactNode
}

interface IconButtonProps extends Labelled, Omit<ComponentProps<'button'>, keyof Labelled> {
  /** Whether the button's action is in progress. */
  busy?: boolean
  /** Without a border, for use in a group of similar controls. */
  bare?: boolean
}

export function IconButton({ label, busy = false, bare, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      className={classes.icon}
      data-bare={bare}
      aria-label={label}
      title={label}
      aria-busy={busy || undefined}
      disabled={busy}
      {...rest}
    >
      {busy ? <Loader size={14} /> : children}
    </button>
  )
}

interface TextProps {
  icon: ReactNode
  /** Whether this is the page's main action. */
  primary?: boolean
}

export const TextButton = ({ icon, primary, children, ...rest }: TextProps & ComponentProps<'button'>) => (
  <button type="button" className={classes.text} data-primary={primary} {...rest}>
    {icon}
    {children}
  </button>
)

export const TextLink = ({
  icon,
  to,
  primary,
  children,
}: TextProps & { to: string; children: ReactNode }) => (
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

interface SelectButtonProps {
  label: string
  /** Text of the current choice. */
  children: string
  /** Whether the choices are open, if they open in a box. */
  isOpen?: boolean
  onClick: () => void
}

/** A button that looks like a `Select`; its click opens the choices. */
export const SelectButton = ({ label, children, isOpen, onClick }: SelectButtonProps) => (
  <span className={classes.selectFrame}>
    <button
      type="button"
      className={classes.field}
      aria-label={`${label}: ${children}`}
      aria-haspopup={isOpen === undefined ? undefined : 'dialog'}
      aria-expanded={isOpen}
      onClick={onClick}
    >
      {children}
    </button>
    <IconSelector size={14} aria-hidden />
  </span>
)

/** A choice among a few options, using the browser's native select. */
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
