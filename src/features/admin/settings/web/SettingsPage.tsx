import { Link } from '@tanstack/react-router'
import { isAdminRole } from '#shared/access.ts'
import { panelSettings } from '#features/admin/settings/contract.ts'
import { PanelSettingsForm } from '#features/admin/settings/web/PanelSettingsForm.tsx'
import { useMay } from '#web/api/useSend.ts'
import classes from '#features/admin/settings/web/settings.module.css'
import { EmptyState } from '#web/list/states.tsx'
import { useViewer } from '#web/session.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'

/** The settings pages, one per row. */
const settings = [
  { to: '/settings/roles', label: 'Roles and permissions', text: 'What each of the 14 roles may do. A change counts from the next request on.' },
  { to: '/settings/lists', label: 'Lists', text: 'Statuses, priorities, services, sources, tags and what else leads choose from.' },
  { to: '/settings/outbox', label: 'Outbox', text: 'The mails that the panel sends: what waits, what left, what failed.' },
] as const

export function SettingsPage() {
  const viewer = useViewer()
  const mayPortal = useMay(panelSettings.show)
  return (
    <>
      <PageHeader />
      {viewer && isAdminRole(viewer.role_id) ? (
        <ul className={classes.index}>
          {settings.map(({ to, label, text }) => (
            <li key={to}>
              <Link to={to} className={classes.setting}>
                <span className={classes.label}>{label}</span>
                <span className={classes.text}>{text}</span>
              </Link>
            </li>
          ))}
        </ul>
      ) : mayPortal ? null : (
        <EmptyState title="Nothing to set here">The settings of the panel belong to the roles Super Admin and Admin.</EmptyState>
      )}
      {mayPortal && viewer && <PanelSettingsForm mine={viewer.products} />}
    </>
  )
}
