import type { ReactNode } from 'react'
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs'
import { isAdminRole } from '#shared/access.ts'
import { useViewer } from '#web/session.ts'
import { IconButton } from '#web/parts/controls.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { ProductSwitcher } from '#web/shell/ProductSwitcher.tsx'
import classes from '#web/shell/TopBar.module.css'

interface Props {
  onMenu: () => void
  onPalette: () => void
  /** The bell and the user menu, which are features and are passed in by the app. */
  children: ReactNode
}

export function TopBar({ onMenu, onPalette, children }: Props) {
  const viewer = useViewer()
  return (
    <header className={classes.bar}>
      <span className={classes.burger}>
        <IconButton bare label="Open menu" onClick={onMenu}>
          <IconMenu2 size={18} aria-hidden />
        </IconButton>
      </span>
      <PageLink to="/dashboard" className={classes.brand}>
        <span className={classes.mark} aria-hidden />
        <span className={classes.brandName}>Admin Panel</span>
      </PageLink>
      <ProductSwitcher />
      <span className={classes.space} />
      <button
        type="button"
        className={classes.palette}
        onClick={onPalette}
        title="Search or jump to"
        aria-keyshortcuts="Control+K Meta+K"
      >
        <IconSearch size={14} aria-hidden />
        <span className={classes.paletteText}>Search or jump to…</span>
        <kbd className={classes.paletteKey}>{/Mac|iP/.test(navigator.platform) ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      {viewer && isAdminRole(viewer.role_id) && (
        <PageLink to="/settings" className={classes.gear} aria-label="Settings" title="Settings">
          <IconSettings size={18} stroke={1.6} aria-hidden />
        </PageLink>
      )}
      {children}
    </header>
  )
}
