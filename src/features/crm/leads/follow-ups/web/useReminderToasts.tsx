import { useEffect } from 'react'
import { Link } from '@tanstack/react-router'
import { can } from '#shared/access.ts'
import { queries } from '#web/api/queries.ts'
import { refetchShowing } from '#web/api/refetch.ts'
import { listen } from '#web/live.ts'
import { viewer } from '#web/session.ts'
import { toast } from '#web/message/toast.ts'

interface Told {
  /** Absent if only existing reminders changed. */
  added?: number
  tab?: string
}

/** Shows a toast with a link in every open tab when follow-ups become due; makes no requests until then. */
export function useReminderToasts(viewerId: number | undefined): void {
  useEffect(() => {
    if (viewerId === undefined) return
    return listen(`private-staff.${viewerId}`, 'reminders', ({ added = 0, tab = 'overdue' }: Told) => {
      refetchShowing(queries, ['reminder'])
      if (added === 0 || !can(viewer(), 'lead_list')) return
      toast.notice(
        <>
          {added === 1 ? '1 follow-up is due.' : `${added.toLocaleString('en-US')} follow-ups are due.`}{' '}
          <Link to="/demo-leads/follow-ups" search={{ tab }}>
            Go to follow-ups
          </Link>
        </>,
      )
    })
  }, [viewerId])
}
