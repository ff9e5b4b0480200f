import type { ReactNode } from 'react'
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

/** A row of tabs, each with its own page. */
export const PageTabs = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav className={classes.tabs} aria-label={label}>
    {children}
  </nav>
)

export const PageTab = ({ to, isCurrent, children }: TabProps & { to: string }) => (
  <PageLink to={to} className={classes.tab} aria-current={isCurrent ? 'page' : undefined}>
    {children}
  </PageLink>
)
