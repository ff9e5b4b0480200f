import type { ReactNode } from 'react'
import { Button } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import classes from '#web/composer/composer.module.css'
import { Menu } from '#web/parts/Menu.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'

interface Props {
  label: string
  /** Name of the menu, such as `More ways to send`. */
  menuLabel: string
  loading: boolean
  disabled?: boolean
  title?: string
  /** Items of the menu. */
  children: ReactNode
}

/** Button that submits its form, with a menu of other ways to do so. */
export function SplitButton({ label, menuLabel, loading, disabled, title, children }: Props) {
  const { props, wanted, at } = useMenuButton()
  return (
    <span className={classes.split}>
      <Button type="submit" size="xs" loading={loading} disabled={disabled ?? false} title={title}>
        {label}
      </Button>
      <Button
        size="xs"
        className={classes.caret}
        aria-label={menuLabel}
        title={menuLabel}
        disabled={loading || disabled === true}
        {...props}
      >
        <IconChevronDown size={14} aria-hidden />
      </Button>
      {wanted && (
        <Menu {...at} label={menuLabel} end width={260}>
          {children}
        </Menu>
      )}
    </span>
  )
}
