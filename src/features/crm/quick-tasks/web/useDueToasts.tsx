import { useEffect } from 'react'
import { Link } from '@tanstack/react-router'
import { mayOpen } from '#shared/access.ts'
import { listen } from '#web/live.ts'
import { viewer } from '#web/session.ts'
import { toast } from '#web/shell/toast.ts'

/** Says in every open tab that quick tasks are due, with the way to them; costs no request until then. */
export function useDueToasts(viewerId: number | undefined): void {
  useEffect(() => {
    if (viewerId === undefined) return
    return listen(`private-staff.${viewerId}`, 'quick-tasks-due', ({ titles = [] }: { titles?: string[] }) => {
      const person = viewer()
      if (!person || titles.length === 0) return
      // Those whom the guard keeps from the page have them on the dashboard.
      const to = mayOpen(person.role_id, '/quick-task/my-task') ? '/quick-task/my-task' : '/dashboard'
      toast.notice(
        <>
          {titles.length === 1 ? `Due: ${titles[0]}.` : `${titles.length} quick tasks are due.`} <Link to={to}>Show {titles.length === 1 ? 'it' : 'them'}</Link>
        </>,
      )
    })
  }, [viewerId])
}
