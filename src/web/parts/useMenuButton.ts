import { useId, useState, type ComponentProps, type MouseEvent } from 'react'

/** State of a menu, and the ID that links it to its button. */
export interface MenuAt {
  id: string
  opened: boolean
  onClose: () => void
}

interface MenuButton {
  /** Props to spread onto the button. */
  props: Pick<ComponentProps<'button'>, 'popoverTarget' | 'aria-haspopup' | 'aria-expanded' | 'onClick'>
  /**
   * True from the first click on: the menu's code is loaded then, and dialogs that it opened stay mounted.
   */
  wanted: boolean
  at: MenuAt
}

/**
 * Returns the props and state of a `Menu`'s button, which renders before any of the menu's code is loaded.
 */
export function useMenuButton(): MenuButton {
  const id = useId()
  const [wanted, setWanted] = useState(false)
  const [opened, setOpened] = useState(false)
  const toggle = (event: MouseEvent) => {
    // The browser does not treat a click on the menu's own button as an outside click; by default, the button
    // would toggle the menu as well.
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
