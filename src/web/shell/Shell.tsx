import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { useLocalStorage } from '@mantine/hooks'
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { askConfigAgain, useConfig } from '#web/config.ts'
import { listen } from '#web/live.ts'
import { KeyHelp } from '#web/keys/KeyHelp.tsx'
import { useGoKeys } from '#web/keys/useGoKeys.ts'
import { useTypingGuard } from '#web/keys/useTypingGuard.ts'
import { personalKey, useProduct, useViewer } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { registered } from '#web/shell/page.ts'
import { mayOpen } from '#shared/access.ts'
import { goLinksOf, visibleMenu, type MenuGroup } from '#web/shell/menu.ts'
import { MessageBox } from '#web/message/MessageBox.tsx'
import type { PaletteSearch } from '#web/palette/Palette.tsx'
import classes from '#web/shell/Shell.module.css'
import { EmptyMenu } from '#web/shell/EmptyMenu.tsx'
import { useShownProduct } from '#web/shell/shownProduct.ts'
import { Sidebar } from '#web/shell/Sidebar.tsx'
import { Toaster } from '#web/message/Toaster.tsx'
import { TopBar } from '#web/shell/TopBar.tsx'
import { useAfterLoad } from '#web/parts/useAfterLoad.ts'
import { usePaletteKey } from '#web/palette/usePaletteKey.ts'
import { VisibleMenu } from '#web/shell/visible-menu.ts'
import { productColor } from '#web/theme.ts'
import { thisYear } from '#web/time.ts'

interface Props {
  menu: readonly MenuGroup[]
  /** The bell and the user menu, on the right of the top bar. */
  tools: ReactNode
  /** Loads the palette's searches when it is opened. */
  searches: () => Promise<readonly PaletteSearch[]>
}

const MenuDrawer = lazyPart(() => import('#web/shell/MenuDrawer.tsx'))
const Palette = lazyPart(() => import('#web/palette/Palette.tsx'))

/** Frame around every page for signed-in users: top bar, menu, footer, and messages (A §2). */
export function Shell({ menu, tools, searches }: Props) {
  const viewer = useViewer()
  const [product, shownProduct] = [useProduct(), useShownProduct()]
  const [isDrawerOpen, setIsDrawerOpen] = useState(false)
  const [icons, setIcons] = useLocalStorage({
    key: personalKey('menu-icons'),
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const palette = usePaletteKey()
  const main = useFocusOnNewPage()
  const copyright = useCopyright()
  const navigate = useNavigate()
  const groups = viewer ? visibleMenu(menu, viewer, product) : []
  const shortcuts = registered.pages.filter(({ path }) => viewer && mayOpen(viewer.role_id, path))
  const goLinks = goLinksOf(groups, shortcuts)
  useTypingGuard()
  useGoKeys(
    (letter) => goLinks.find(({ key }) => key === letter)?.to,
    (to) => void navigate({ href: to }),
  )
  if (!viewer) return null

  return (
    <div
      className={classes.shell}
      data-icons={icons || undefined}
      style={{ '--product': shownProduct === undefined ? 'transparent' : productColor(shownProduct) }}
    >
      <a href="#main" className={classes.skip}>
        Skip to main content
      </a>
      <TopBar onMenu={() => setIsDrawerOpen(true)} onPalette={palette.open}>
        {tools}
      </TopBar>
      <div className={classes.sidebar}>
        <Sidebar
          groups={groups}
          empty={<EmptyMenu menu={menu} />}
          icons={icons}
          onToggleIcons={() => setIcons(!icons)}
        />
        <footer className={classes.sideFooter}>{copyright}</footer>
      </div>
      {isDrawerOpen && (
        <Suspense>
          <MenuDrawer
            groups={groups}
            empty={<EmptyMenu menu={menu} />}
            onClose={() => setIsDrawerOpen(false)}
          />
        </Suspense>
      )}
      <div className={classes.scroll}>
        <main id="main" ref={main} tabIndex={-1} className={classes.main}>
          <VisibleMenu value={groups}>
            <Outlet />
          </VisibleMenu>
        </main>
        <footer className={classes.footer}>{copyright}</footer>
      </div>
      {palette.wanted && (
        <Suspense>
          <Palette groups={groups} searches={searches} />
        </Suspense>
      )}
      <KeyHelp goLinks={goLinks} />
      <MessageBox />
      <Toaster />
    </div>
  )
}

/** Returns the copyright notice, which is below the menu or, without one, below the page. */
function useCopyright(): string {
  const config = useConfig()
  const isLoaded = useAfterLoad()
  useEffect(
    () => (isLoaded ? listen('private-records.settings', 'changed', askConfigAgain) : undefined),
    [isLoaded],
  )
  return config?.copyright || `© ${thisYear()} ${config?.provider ?? 'Admin Panel'}`
}

/**
 * Moves the focus to the start of a new page, where screen readers continue, unless the page has already set
 * the focus; does nothing if only a filter changed.
 */
function useFocusOnNewPage() {
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const before = useRef(path)
  useEffect(() => {
    const isPlaced = main.current?.contains(document.activeElement)
    if (before.current !== undefined && before.current !== path && !isPlaced)
      main.current?.focus({ preventScroll: true })
    before.current = path
  }, [path])
  return main
}
