import { useEffect } from 'react'
import { Link } from '@tanstack/react-router'
import { mayOpen } from '#shared/access.ts'
import { listen } from '#web/live.ts'
import { viewer } from '#web/session.ts'
import { toast } from '#web/message/toast.ts'

/** Shows a toast in every open tab when quick tasks are due, with a link to them; makes no request until then. */
export function useDueToasts(viewerId: number | undefined): void {
  useEffect(() => {
    if (viewerId === undefined) return
    return listen(
      `private-staff.${viewerId}`,
      'quick-tasks-due',
      ({ titles = [], total = titles.length }: { titles?: string[]; total?: number }) => {
        const person = viewer()
        if (!person || titles.length === 0) return
        // Viewers who cannot open the My tasks page see the quick tasks on the dashboard.
        const to = mayOpen(person.role_id, '/quick-task/my-task') ? '/quick-task/my-task' : '/dashboard'
        toast.notice(
          <>
            {total === 1 ? `Due: ${titles[0]}.` : `${total} quick tasks are due.`}{' '}
            <Link to={to}>Show {total === 1 ? 'it' : 'them'}</Link>
          </>,
        )
      },
    )
  }, [viewerId])
}
