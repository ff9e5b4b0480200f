import { useEffect } from 'react'
import { Link } from '@tanstack/react-router'
import { queries } from '#web/api/queries.ts'
import { refetchShowing } from '#web/api/refetch.ts'
import { listen } from '#web/live.ts'
import { toast } from '#web/message/toast.ts'

/**
 * Shows a toast in every open tab when a trial is about to end or an onboarding step is due; makes no request
 * until then.
 */
export function useOrganizationReminders(viewerId: number | undefined): void {
  useEffect(() => {
    if (viewerId === undefined) return
    return listen(`private-staff.${viewerId}`, 'organization-reminders', () => {
      refetchShowing(queries, ['organization_reminder'])
      toast.notice(
        <>
          A trial is ending or an onboarding is due soon. <Link to="/dashboard">View reminders</Link>
        </>,
      )
    })
  }, [viewerId])
}
