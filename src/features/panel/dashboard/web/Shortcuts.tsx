import { Link } from '@tanstack/react-router'
import IconUserSearch from '@tabler/icons-react/dist/esm/icons/IconUserSearch.mjs'
import { mayOpen } from '#shared/access.ts'
import classes from '#features/panel/dashboard/web/dashboard.module.css'
import { EmptyState } from '#web/list/states.tsx'
import { useViewer } from '#web/session.ts'
import { isSection } from '#web/shell/menu.ts'
import { useVisibleMenu } from '#web/shell/visible-menu.ts'

const here = '/dashboard'
/** The specification's menu does not have them (docs/spec-gaps.md, "People"). */
const withoutMenu = [{ label: 'Customer view', icon: IconUserSearch, to: '/customer-view' }]

/** Ways to what this person may open, by area: the menu again, for the start of the day. */
export function Shortcuts() {
  const role = useViewer()?.role_id
  const fromMenu = useVisibleMenu()
    .map(({ label, entries }) => ({
      label,
      links: entries
        .map((entry) => ({ label: entry.label, icon: entry.icon, to: isSection(entry) ? entry.links[0]?.to : entry.to }))
        .filter(({ to }) => to !== undefined && to !== here),
    }))
    .filter(({ links }) => links.length > 0)
  const others = withoutMenu.filter(({ to }) => role !== undefined && mayOpen(role, to))
  const groups = others.length === 0 ? fromMenu : [...fromMenu, { label: 'More', links: others }]
  return (
    <section className={classes.card} aria-labelledby="shortcuts">
      <h2 id="shortcuts" className={classes.cardTitle}>
        Shortcuts
      </h2>
      {groups.length === 0 && <EmptyState title="No areas are open to you">An administrator grants your role what it needs.</EmptyState>}
      {groups.map(({ label, links }) => (
        <div key={label} className={classes.shortcutGroup}>
          <h3 className={classes.shortcutTitle}>{label}</h3>
          <ul className={classes.shortcuts}>
            {links.map((link) => (
              <li key={link.label}>
                <Link to={link.to ?? here} className={classes.shortcut}>
                  <link.icon size={15} stroke={1.6} aria-hidden />
                  {link.label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}
