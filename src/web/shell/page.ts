import type { RouteComponent } from '@tanstack/react-router'
import type { PaletteSearch } from '#web/palette/Palette.tsx'
import type { MenuIcon, MenuPlace } from '#web/shell/menu.ts'
import type { RecordPanel } from '#web/shell/recordPanels.tsx'
import type { Permission } from '#shared/access.ts'
import type { RecordType } from '#shared/records.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The route's name: its h1, and the last part of the breadcrumb and of the document title (A §2). */
    name?: string
  }
}

/** A page of the panel: one row of a feature's route table. Parameters are written as `$id`. */
export interface Page {
  path: string
  name: string
  component: RouteComponent
  /**
   * URLs of records that this page shows, by record type, if a record's number (`$id`) is enough to open it;
   * its name (`$name`) is only for readability. Links to records everywhere use them.
   */
  shows?: { readonly [Type in RecordType]?: string }
  /**
   * The new record that the palette offers to create here, such as “New lead”, for viewers with the permission: a
   * form in a dialog of the page (`useNewForm` with its path), or the page itself.
   */
  creates?: { label: string; needs?: Permission; isDialog?: boolean }
  /** Its links in the sidebar, after those of the pages above it in `app/browser/features.ts`. */
  menu?: MenuPlace | readonly MenuPlace[]
  /** Its tabs among those of the settings, which viewers of its menu link see (`SettingsTabs`). */
  settingsTabs?: readonly (readonly [to: string, label: string])[]
  /**
   * The icon of a page that the specification's menu lacks (docs/spec-gaps.md, "People"); the command palette
   * and the dashboard's shortcuts have it instead.
   */
  shortcut?: MenuIcon
  /** Opens such a page after G; other pages have the letter in their `menu`. */
  goKey?: string
  /** A panel of the feature on the record pages of other features. */
  panel?: RecordPanel
  /** The types of records that have the panel, so that other pages don't load it; all by default. */
  panelOf?: readonly RecordType[]
  /** Loads the command palette's searches for records that this page lists. */
  searches?: () => Promise<readonly PaletteSearch[]>
  /**
   * Loads the function that requests the page's initial data, so that the page renders once, with its data;
   * the page itself makes the same request.
   */
  prepare?: () => Promise<(search: Record<string, unknown>) => Promise<unknown>>
}

/** Everything that features register; the router sets it before the first page is shown. */
export const registered: {
  pages: readonly Page[]
  /** Loads data needed after sign-in that the sign-in response does not include. */
  afterSignIn: () => Promise<void>
} = { pages: [], afterSignIn: async () => {} }
