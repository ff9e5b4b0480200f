import { useEffect, useRef, type ReactNode } from 'react'
import { useLocalStorage } from '@mantine/hooks'
import { useRouterState } from '@tanstack/react-router'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconLayoutSidebarLeftCollapse from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftCollapse.mjs'
import IconLayoutSidebarLeftExpand from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftExpand.mjs'
import { activeLink, isSection, type MenuEntry, type MenuGroup, type MenuSection } from '#web/shell/menu.ts'
import { PageLink } from '#web/parts/PageLink.tsx'
import { personalKey } from '#web/session.ts'
import classes from '#web/shell/Sidebar.module.css'

interface Props {
  groups: readonly MenuGroup[]
  /** Shown if there are no groups. */
  empty: ReactNode
  /** Shows only icons; clicking a section widens the sidebar. */
  icons?: boolean
  onToggleIcons?: () => void
  /** Called after a link is clicked, for example to close the drawer. */
  onGo?: () => void
}

interface PartProps {
  active: string | undefined
  isOpen: (name: string, otherwise: boolean) => boolean
  toggle: (name: string, open: boolean) => void
  icons: boolean
  onGo: (() => void) | undefined
  onWiden: (() => void) | undefined
}

const shownMs = 300

/** The menu's groups, each collapsible; their state is remembered. */
export function Sidebar({ groups, empty, icons = false, onToggleIcons, onGo }: Props) {
  const active = useRouterState({
    select: ({ location }) => activeLink(groups, location.pathname, location.searchStr),
  })
  const [open, setOpen] = useLocalStorage<Record<string, boolean>>({
    key: personalKey('menu'),
    defaultValue: {},
    getInitialValueInEffect: false,
  })
  const part: PartProps = {
    active,
    isOpen: (name, otherwise) => open[name] ?? otherwise,
    toggle: (name, isOpen) => setOpen((before) => ({ ...before, [name]: isOpen })),
    icons,
    onGo,
    onWiden: onToggleIcons,
  }
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!active) return
    // Wait until the page is shown, because measuring an element's position forces a layout of the whole
    // page.
    const timer = setTimeout(
      () => nav.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' }),
      shownMs,
    )
    return () => clearTimeout(timer)
  }, [active])

  return (
    <nav ref={nav} className={classes.sidebar} aria-label="Menu" data-icons={icons || undefined}>
      <div className={classes.groups}>
        {groups.length === 0 && !icons && empty}
        {groups.map((group) => (
          <Group key={group.label} group={group} {...part} />
        ))}
      </div>
      {onToggleIcons && (
        <button
          type="button"
          className={classes.collapse}
          onClick={onToggleIcons}
          aria-label={icons ? 'Expand menu' : 'Collapse menu'}
          title={icons ? 'Expand menu' : 'Collapse menu'}
        >
          {icons ? (
            <IconLayoutSidebarLeftExpand size={16} aria-hidden />
          ) : (
            <IconLayoutSidebarLeftCollapse size={16} aria-hidden />
          )}
        </button>
      )}
    </nav>
  )
}

function Group({ group, ...part }: PartProps & { group: MenuGroup }) {
  const isOpen = part.icons || part.isOpen(group.label, true)
  return (
    <section className={classes.group} aria-label={group.label}>
      {part.icons ? (
        <span className={classes.groupRule} aria-hidden />
      ) : (
        <button
          type="button"
          className={classes.groupName}
          aria-expanded={isOpen}
          onClick={() => part.toggle(group.label, !isOpen)}
        >
          {group.label}
          <IconChevronRight
            size={12}
            aria-hidden
            className={classes.chevron}
            data-open={isOpen || undefined}
          />
        </button>
      )}
      {isOpen && (
        <ul className={classes.entries}>
          {group.entries.map((entry) => (
            <li key={entry.label}>
              {isSection(entry) ? (
                <Section section={entry} group={group.label} {...part} />
              ) : (
                <EntryLink entry={entry} {...part} />
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function EntryLink({ entry, active, icons, onGo }: PartProps & { entry: Exclude<MenuEntry, MenuSection> }) {
  return (
    <PageLink
      to={entry.to}
      className={classes.entry}
      data-active={entry.to === active || undefined}
      title={icons ? entry.label : undefined}
      onClick={onGo}
    >
      <entry.icon size={16} stroke={1.6} aria-hidden />
      <span className={classes.label}>{entry.label}</span>
    </PageLink>
  )
}

function Section({
  section,
  group,
  active,
  isOpen,
  toggle,
  icons,
  onGo,
  onWiden,
}: PartProps & { section: MenuSection; group: string }) {
  const name = `${group}/${section.label}`
  const holdsActive = section.links.some(({ to }) => to === active)
  const opened = !icons && isOpen(name, holdsActive)

  function press(): void {
    toggle(name, icons || !opened)
    if (icons) onWiden?.()
  }

  return (
    <>
      <button
        type="button"
        className={classes.entry}
        aria-expanded={opened}
        data-holds-active={(holdsActive && !opened) || undefined}
        title={icons ? section.label : undefined}
        onClick={press}
      >
        <section.icon size={16} stroke={1.6} aria-hidden />
        <span className={classes.label}>{section.label}</span>
        <IconChevronRight size={12} aria-hidden className={classes.chevron} data-open={opened || undefined} />
      </button>
      {opened && (
        <ul className={classes.links}>
          {section.links.map((link) => (
            <li key={link.to}>
              <PageLink
                to={link.to}
                className={classes.link}
                data-active={link.to === active || undefined}
                onClick={onGo}
              >
                {link.label}
              </PageLink>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
