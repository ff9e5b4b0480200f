import { useId, useState, type ComponentProps, type MouseEvent } from 'react'

/** State of a menu, and the id that links it to its button. */
export interface MenuAt {
  id: string
  opened: boolean
  onClose: () => void
}

interface MenuButton {
  /** To spread on the button. */
  props: Pick<ComponentProps<'button'>, 'popoverTarget' | 'aria-haspopup' | 'aria-expanded' | 'onClick'>
  /** True from the first click on: the menu's code loads then, and what it opened stays. */
  wanted: boolean
  at: MenuAt
}

/** Returns the props and state of a `Menu`'s button, which renders before any of the menu is loaded. */
export function useMenuButton(): MenuButton {
  const id = useId()
  const [wanted, setWanted] = useState(false)
  const [opened, setOpened] = useState(false)
  const toggle = (event: MouseEvent) => {
    // For the browser, a click on the menu's own button is not a click elsewhere; it would toggle the menu itself, too.
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
