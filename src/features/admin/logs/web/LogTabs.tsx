import { useRouterState } from '@tanstack/react-router'
import { can } from '#shared/access.ts'
import { PageTab, PageTabs } from '#web/parts/Tabs.tsx'
import { useViewer } from '#web/session.ts'

const tabs = [
  ['/users/admin-log', 'Changes', 'admin_users_log_list'],
  ['/users/log', 'Sign-ins', 'login_logs_view'],
] as const

/** The tabs of the logs, each with an address, for viewers who can read both. */
export function LogTabs() {
  const here = useRouterState({ select: ({ location }) => location.pathname })
  const viewer = useViewer()
  if (!tabs.every(([, , needs]) => can(viewer, needs))) return null
  return (
    <PageTabs label="Logs">
      {tabs.map(([to, label]) => (
        <PageTab key={to} to={to} isCurrent={to === here}>
          {label}
        </PageTab>
      ))}
    </PageTabs>
  )
}
