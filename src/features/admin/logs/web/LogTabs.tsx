import { can } from '#shared/access.ts'
import { PageTabs } from '#web/parts/Tabs.tsx'
import { useViewer } from '#web/session.ts'

const tabs = [
  ['/users/admin-log', 'Changes', 'admin_users_log_list'],
  ['/users/log', 'Sign-ins', 'login_logs_view'],
] as const

/** The tabs of the logs, for viewers who can read both. */
export function LogTabs() {
  const viewer = useViewer()
  const readable = tabs.filter(([, , needs]) => can(viewer, needs))
  return <PageTabs label="Logs" tabs={readable.map(([to, label]) => [to, label])} />
}
