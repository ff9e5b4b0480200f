import { Link } from '@tanstack/react-router'
import { mayOpen } from '#shared/access.ts'
import classes from '#features/panel/dashboard/web/dashboard.module.css'
import { DashboardCard } from '#web/dashboard/DashboardCard.tsx'
import { EmptyState } from '#web/list/states.tsx'
import { useViewer } from '#web/session.ts'
import { isSection, type MenuLink } from '#web/shell/menu.ts'
import { useVisibleMenu } from '#web/shell/visible-menu.ts'

const excludedPath = '/dashboard'

export interface Shortcut {
  label: string
  icon: NonNullable<MenuLink['icon']>
  to: string
}

/** Shortcuts to the pages that the viewer can open, grouped by area like the menu. */
export function Shortcuts({ otherPages }: { otherPages: readonly Shortcut[] }) {
  const role = useViewer()?.role_id
  const fromMenu = useVisibleMenu()
    .map(({ label, entries }) => ({
      label,
      links: entries
        .map((entry) => ({
          label: entry.label,
          icon: entry.icon,
          to: isSection(entry) ? entry.links[0]?.to : entry.to,
        }))
        .filter(({ to }) => to !== undefined && to.split('?')[0] !== excludedPath),
    }))
    .filter(({ links }) => links.length > 0)
  const others = otherPages.filter(({ to }) => role !== undefined && mayOpen(role, to))
  const groups = others.length === 0 ? fromMenu : [...fromMenu, { label: 'More', links: others }]
  return (
    <DashboardCard id="shortcuts" title="Shortcuts">
      {groups.length === 0 && (
        <EmptyState title="No pages available">Ask an Admin to give your role access.</EmptyState>
      )}
      {groups.map(({ label, links }) => (
        <div key={label} className={classes.shortcutGroup}>
          <h3 className={classes.shortcutTitle}>{label}</h3>
          <ul className={classes.shortcuts}>
            {links.map((link) => (
              <li key={link.label}>
                <Link to={link.to ?? excludedPath} className={classes.shortcut}>
                  <link.icon size={15} stroke={1.6} aria-hidden />
                  {link.label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </DashboardCard>
  )
}
