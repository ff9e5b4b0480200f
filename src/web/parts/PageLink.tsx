import type { ComponentProps, MouseEvent } from 'react'
import { useRouter, type HistoryState } from '@tanstack/react-router'

interface Props extends Omit<ComponentProps<'a'>, 'href'> {
  to: string
  /** Stands in the browser's history beside the address. */
  state?: HistoryState
}

const hoverMs = 50
let soon: ReturnType<typeof setTimeout> | undefined

/**
 * A link to a page of the panel, for lists and menus, which have dozens: the router's own listens to every change of the
 * address to know whether it is the active one. A page is prepared when the pointer rests on its link.
 */
export function PageLink({ to, state, onClick, ...rest }: Props) {
  const router = useRouter()

  function go(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event)
    // Another tab or window is the browser's business.
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void router.navigate(state ? { to, state } : { to })
  }

  function prepare(): void {
    clearTimeout(soon)
    soon = setTimeout(() => void router.preloadRoute({ to }).catch(() => undefined), hoverMs)
  }

  return <a {...rest} href={to} onClick={go} onPointerEnter={prepare} onPointerLeave={() => clearTimeout(soon)} />
}
