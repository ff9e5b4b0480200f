import { use, type ComponentProps, type MouseEvent } from 'react'
import { useRouter } from '@tanstack/react-router'
import { ListPositionContext } from '#web/list/position/listPosition.ts'

interface Props extends Omit<ComponentProps<'a'>, 'href'> {
  to: string
}

const hoverMs = 50
let soon: ReturnType<typeof setTimeout> | undefined

/**
 * A link to a page in the panel, for lists and menus, which contain dozens of links: the router's own link
 * component subscribes to every URL change to know whether it is active. The page is preloaded when the
 * pointer rests on the link. In a list, a link to a row's page also identifies the list, so that the user can
 * step through it.
 */
export function PageLink({ to, onClick, ...rest }: Props) {
  const router = useRouter()
  const stateOf = use(ListPositionContext)

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
    void router.navigate({ to, state: stateOf(to) })
  }

  function prepare(): void {
    clearTimeout(soon)
    soon = setTimeout(() => void router.preloadRoute({ to }).catch(() => undefined), hoverMs)
  }

  return (
    <a {...rest} href={to} onClick={go} onPointerEnter={prepare} onPointerLeave={() => clearTimeout(soon)} />
  )
}
