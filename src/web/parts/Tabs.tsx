import type { ReactNode } from 'react'
import { useRouterState } from '@tanstack/react-router'
import { PageLink } from '#web/parts/PageLink.tsx'
import classes from '#web/parts/Tabs.module.css'

interface TabProps {
  isCurrent: boolean
  children: ReactNode
}

/** A row of tabs that filter a list. */
export const FilterTabs = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={classes.tabs} role="group" aria-label={label}>
    {children}
  </div>
)

export const FilterTab = ({
  isCurrent,
  count,
  onClick,
  children,
}: TabProps & { count?: string; onClick: () => void }) => (
  <button type="button" className={classes.tab} aria-pressed={isCurrent} onClick={onClick}>
    {children} {count !== undefined && <span className={classes.count}>{count}</span>}
  </button>
)

interface LinkProps {
  to: string
  count: string
  children: string
}

/** A tab that leads to another page, behind those that filter the list. */
export const LinkTab = ({ to, count, children }: LinkProps) => (
  <PageLink to={to} className={classes.tab}>
    {children} <span className={classes.count}>{count}</span>
  </PageLink>
)

interface ActionProps {
  icon: ReactNode
  onClick: () => void
  children: string
}

/** A button behind the tabs of a row. */
export const TabAction = ({ icon, onClick, children }: ActionProps) => (
  <button type="button" className={`${classes.tab} ${classes.action}`} onClick={onClick}>
    {icon}
    {children}
  </button>
)

/**
 * A row of tabs, each with the address of a page; only `tab` of its query distinguishes tabs. Empty if there is
 * only one.
 */
export function PageTabs({ label, tabs }: { label: string; tabs: readonly (readonly [string, string])[] }) {
  const here = useRouterState({
    select: ({ location: { pathname, search } }) => {
      const { tab } = search as { tab?: string }
      return tab === undefined ? pathname : `${pathname}?tab=${tab}`
    },
  })
  if (tabs.length < 2) return null
  return (
    <nav className={classes.tabs} aria-label={label}>
      {tabs.map(([to, name]) => (
        <PageLink key={to} to={to} className={classes.tab} aria-current={to === here ? 'page' : undefined}>
          {name}
        </PageLink>
      ))}
    </nav>
  )
}
