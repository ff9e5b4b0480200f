import { useEffect } from 'react'
import { Link } from '@tanstack/react-router'
import { can } from '#shared/access.ts'
import { queries } from '#web/api/queries.ts'
import { listen } from '#web/live.ts'
import { viewer } from '#web/session.ts'
import { toast } from '#web/message/toast.ts'

interface Told {
  /** None when only something about the known ones changed. */
  added?: number
  tab?: string
}

/** Says in every open tab that follow-ups have become due, with the way to them; costs no request until then. */
export function useReminderToasts(viewerId: number | undefined): void {
  useEffect(() => {
    if (viewerId === undefined) return
    return listen(`private-staff.${viewerId}`, 'reminders', ({ added = 0, tab = 'overdue' }: Told) => {
      // The contract itself would be read by every page.
      void queries.invalidateQueries({ queryKey: ['/admin/users/lead-reminders'] })
      if (added === 0 || !can(viewer(), 'lead_list')) return
      toast.notice(
        <>
          {added === 1 ? 'A follow-up is due.' : `${added.toLocaleString('en-US')} follow-ups are due.`}{' '}
          <Link to="/demo-leads/follow-ups" search={{ tab }}>
            Open the queue
          </Link>
        </>,
      )
    })
  }, [viewerId])
}
