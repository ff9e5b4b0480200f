import { useId, useState, type ComponentProps, type MouseEvent } from 'react'

/** Where a menu stands, and whether it is open. */
export interface MenuAt {
  id: string
  opened: boolean
  onClose: () => void
}

interface MenuButton {
  /** Spread on the button. */
  props: Pick<ComponentProps<'button'>, 'popoverTarget' | 'aria-haspopup' | 'aria-expanded' | 'onClick'>
  /** From the first click on: the menu's code is loaded then, and what it opened stays. */
  wanted: boolean
  at: MenuAt
}

/** The button of a `Menu`, which is drawn before anything of the menu is there. */
export function useMenuButton(): MenuButton {
  const id = useId()
  const [wanted, setWanted] = useState(false)
  const [opened, setOpened] = useState(false)
  const toggle = (event: MouseEvent) => {
    // The browser knows that the menu is the button's, so a click on it is none elsewhere; it would toggle the menu, too.
    event.preventDefault()
    setWanted(true)
    setOpened(!opened)
  }
  return {
    props: { popoverTarget: id, 'aria-haspopup': 'menu', 'aria-expanded': opened, onClick: toggle },
    wanted,
    at: { id, opened, onClose: () => setOpened(false) },
  }
}
