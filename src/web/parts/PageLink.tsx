import type { ComponentProps, MouseEvent } from 'react'
import { useRouter, type HistoryState } from '@tanstack/react-router'

interface Props extends Omit<ComponentProps<'a'>, 'href'> {
  to: string
  /** Stored in the browser history along with the URL. */
  state?: HistoryState
}

const hoverMs = 50
let soon: ReturnType<typeof setTimeout> | undefined

/**
 * A link to a page in the panel, for lists and menus, which contain dozens of links: the router's own link
 * component subscribes to every URL change to know whether it is active. The page is preloaded when the
 * pointer rests on the link.
 */
export function PageLink({ to, state, onClick, ...rest }: Props) {
  const router = useRouter()

  function go(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event)
    // Let the browser handle opening another tab or window.
    if (
      event.defaultPrevented ||
      rest.target ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    event.preventDefault()
    void router.navigate(state ? { to, state } : { to })
  }

  function prepare(): void {
    clearTimeout(soon)
    soon = setTimeout(() => void router.preloadRoute({ to }).catch(() => undefined), hoverMs)
  }

  return (
    <a {...rest} href={to} onClick={go} onPointerEnter={prepare} onPointerLeave={() => clearTimeout(soon)} />
  )
}
