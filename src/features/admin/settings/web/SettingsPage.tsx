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
  {
    to: '/settings/roles',
    label: 'Roles and permissions',
    text: 'Choose what each of the 14 roles can do. Changes take effect immediately.',
  },
  {
    to: '/settings/lists',
    label: 'Options',
    text: 'Edit the options for statuses, priorities, services, sources, tags, and more.',
  },
  { to: '/settings/outbox', label: 'Outbox', text: 'See which emails are queued, were sent, or failed.' },
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
        <EmptyState title="You don’t have access to this page">
          Ask an Admin for access to panel settings.
        </EmptyState>
      )}
      {mayPortal && viewer && <PanelSettingsForm mine={viewer.products} />}
    </>
  )
}
