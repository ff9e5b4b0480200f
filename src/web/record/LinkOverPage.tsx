import type { ComponentProps, MouseEvent } from 'react'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { toQueryString } from '#web/api/query-string.ts'

interface Props extends Omit<ComponentProps<'a'>, 'href' | 'id' | 'onClick'> {
  /** Parameter of the URL that opens the record, such as `task`. */
  name: string
  id: number
}

/** Link that opens a record on top of this page, so that closing it, or Back, returns here. */
export function LinkOverPage({ name, id, ...rest }: Props) {
  const open = useOpenOverPage(name)
  // Stays the same while records open and close, so links do not re-render.
  const page = useLocation({
    select: ({ pathname, search }: { pathname: string; search: Record<string, unknown> }) => {
      const { [name]: _open, ...others } = search
      return `${pathname}?${toQueryString({ ...others, [name]: '' })}`
    },
  })
  function go(event: MouseEvent): void {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    open(id)
  }
  return <a {...rest} href={page + id} onClick={go} />
}

/**
 * Returns a function that opens a record on top of the page, or closes it, without re-rendering the page. The
 * page's state in the browser's history, such as its place in a list, stays.
 */
export function useOpenOverPage(name: string): (id: number | undefined) => void {
  const navigate = useNavigate()
  return (id) => void navigate({ to: '.', search: (now: object) => ({ ...now, [name]: id }), state: true })
}
