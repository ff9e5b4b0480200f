import { cloneElement, useEffect, useRef, useState, type ReactElement, type ReactNode, type Ref } from 'react'
import { Menu, type MenuProps } from '@mantine/core'

interface Props extends Omit<MenuProps, 'opened' | 'onChange' | 'defaultOpened'> {
  /** The same button that stood there before the first click. */
  target: ReactElement<{ ref?: Ref<HTMLButtonElement> }>
  /** `Menu.Dropdown`. */
  children: ReactNode
}

/**
 * A menu that is mounted by the first click on its button. The button of before is gone, and with it the focus; and only a
 * change makes Mantine move the focus into a menu. So the new button takes the focus, and the menu opens after that.
 */
export function ClickedMenu({ target, children, ...menu }: Props) {
  const [opened, setOpened] = useState(false)
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    button.current?.focus({ preventScroll: true })
    const frame = requestAnimationFrame(() => setOpened(true))
    return () => cancelAnimationFrame(frame)
  }, [])

  return (
    <Menu {...menu} opened={opened} onChange={setOpened}>
      <Menu.Target>{cloneElement(target, { ref: button })}</Menu.Target>
      {children}
    </Menu>
  )
}
