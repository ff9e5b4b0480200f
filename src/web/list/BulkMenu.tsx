import { Suspense, useState, type ReactNode } from 'react'
import { Button } from '@mantine/core'
import { Menu } from '#web/parts/Menu.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const DayMenu = lazyPart(() => import('#web/dates/DayMenu.tsx'), 'DayMenu')

interface Props {
  label: string
  disabled: boolean
  /** The menu's items. */
  children: ReactNode
}

/** A button in the bar of selected rows that opens a menu, such as the statuses to set. */
export function BulkMenu({ label, disabled, children }: Props) {
  const { props, at } = useMenuButton()
  return (
    <>
      <Button size="compact-xs" variant="default" disabled={disabled} {...props}>
        {label}
      </Button>
      <Menu {...at} label={label} width={210}>
        {children}
      </Menu>
    </>
  )
}

interface DayProps extends Omit<Props, 'children'> {
  /** Name of the dialog, such as `Follow-up date of selected leads`. */
  dialog: string
  /** Null clears the date. */
  onChoose: (day: string | null) => void
}

/** A button in the bar of selected rows that sets a date. */
export function BulkDay({ label, dialog, disabled, onChoose }: DayProps) {
  const [wanted, setWanted] = useState(false)
  const button = (props: object = {}) => (
    <Button
      size="compact-xs"
      variant="default"
      disabled={disabled}
      aria-haspopup="dialog"
      onClick={() => setWanted(true)}
      {...props}
    >
      {label}
    </Button>
  )
  if (!wanted) return button()
  return (
    <Suspense fallback={button()}>
      <DayMenu label={dialog} target={button} day={null} mayRemove onChoose={onChoose} />
    </Suspense>
  )
}
