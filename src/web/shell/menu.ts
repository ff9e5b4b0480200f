import type { ComponentType } from 'react'
import { mayOpen, roleIds, type Permission, type RoleId } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { isWithin, type Product } from '#shared/products.ts'

/** Most pages of the specification exist only for Linen, those of the blog for all products but staffer. */
export const onlyProductOne = [1] as const
export const blogProducts = [1, 3, 4] as const

/** Restricts a part of the menu to some viewers (A §6); an omitted field restricts nothing. */
interface Gate {
  needs?: Permission
  products?: readonly number[]
  onlyFor?: readonly RoleId[]
  hiddenFor?: readonly RoleId[]
}

export type MenuIcon = ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: boolean }>

export interface MenuLink extends Gate {
  label: string
  /** Opens the page after G. */
  goKey?: string
  to: string
  icon?: MenuIcon
}

export interface MenuSection extends Gate {
  label: string
  icon: MenuIcon
  links: readonly MenuLink[]
}

export type MenuEntry = (MenuLink & { icon: MenuIcon }) | MenuSection

export interface MenuGroup extends Gate {
  label: string
  entries: readonly MenuEntry[]
}

/**
 * The groups of the sidebar, in the order of the permission keys (A §6). Quick tasks are in a group without a
 * permission because they need none (docs/spec-gaps.md G113).
 */
const menuGroups = {
  CRM: { needs: 'crm_view' },
  Work: {},
  CMS: { needs: 'cms_view' },
  Development: { needs: 'development_view', products: [1, 2, 3, 4] },
  Designer: { needs: 'view_designer', products: onlyProductOne },
  Admin: { needs: 'admin_view' },
} as const satisfies Record<string, Gate>

type MenuGroupName = keyof typeof menuGroups

/** An entry that has the links of several pages. */
export interface MenuParent extends Gate {
  group: MenuGroupName
  label: string
  icon: MenuIcon
}

/** A page's link in the sidebar; its label is by default the name of the page. `search` is part of its address. */
export type MenuPlace = Gate & { label?: string; goKey?: string; search?: string } & (
    | { group: MenuGroupName; icon: MenuIcon }
    | { under: MenuParent }
  )

interface PageInMenu {
  path: string
  name: string
  menu?: MenuPlace | readonly MenuPlace[]
}

/** Returns the sidebar's groups with the links of the pages, in the order of the pages. */
export function menuOf(pages: readonly PageInMenu[]): MenuGroup[] {
  const links = pages.flatMap(({ path, name, menu = [] }) =>
    [menu].flat().map(({ search, ...place }) => ({
      label: name,
      to: search === undefined ? path : `${path}?${search}`,
      ...place,
    })),
  )
  return Object.entries(menuGroups).map(([label, gate]) => {
    const sections = new Map<MenuParent, MenuLink[]>()
    const entries: MenuEntry[] = []
    for (const link of links) {
      if (!('under' in link)) {
        const { group, ...entry } = link
        if (group === label) entries.push(entry)
        continue
      }
      const { under, ...entry } = link
      const { group, ...section } = under
      if (group !== label) continue
      if (!sections.has(under)) {
        sections.set(under, [])
        entries.push({ ...section, links: sections.get(under)! })
      }
      sections.get(under)!.push(entry)
    }
    return { label, ...gate, entries }
  })
}

export const isSection = (entry: MenuEntry): entry is MenuSection => 'links' in entry

/**
 * Returns a viewer's menu for the chosen product: the visible entries, without pages that the route guard
 * would deny.
 */
export function visibleMenu(
  menu: readonly MenuGroup[],
  viewer: Viewer,
  product: number | undefined,
): MenuGroup[] {
  const passes = (gate: Gate) =>
    (gate.needs === undefined || viewer.permissions.has(gate.needs)) &&
    (gate.products === undefined || (product !== undefined && gate.products.includes(product))) &&
    (gate.onlyFor === undefined || gate.onlyFor.includes(viewer.role_id)) &&
    !gate.hiddenFor?.includes(viewer.role_id)
  const linkPasses = (link: MenuLink) => passes(link) && mayOpen(viewer.role_id, pathOf(link))

  const entryOf = (entry: MenuEntry): MenuEntry | undefined => {
    if (!isSection(entry)) return linkPasses(entry) ? entry : undefined
    if (!passes(entry)) return undefined
    const links = entry.links.filter(linkPasses)
    return links.length > 0 ? { ...entry, links } : undefined
  }

  return menu
    .filter(passes)
    .map((group) => ({
      ...group,
      entries: group.entries.map(entryOf).filter((entry) => entry !== undefined),
    }))
    .filter((group) => group.entries.length > 0)
}

/** Conditions for seeing a page in the menu. */
interface PageGates {
  label: string
  to: string
  permissions: readonly Permission[]
  /** The roles that can have the page if they have the permissions. */
  roles: readonly RoleId[]
  /** The products that have the page; undefined for all. */
  products: readonly number[] | undefined
}

/** Returns the pages of the menu, each with what its group, its section, and its own link ask for. */
export const gatesOf = (menu: readonly MenuGroup[]): PageGates[] =>
  menu.flatMap((group) =>
    group.entries.flatMap((entry) =>
      (isSection(entry) ? entry.links : [entry]).map((link) => {
        const gates: Gate[] = isSection(entry) ? [group, entry, link] : [group, link]
        const isFor = (role: RoleId) =>
          mayOpen(role, pathOf(link)) &&
          gates.every(
            ({ onlyFor, hiddenFor }) => onlyFor?.includes(role) !== false && !hiddenFor?.includes(role),
          )
        return {
          label: isSection(entry) ? `${entry.label}: ${link.label}` : link.label,
          to: link.to,
          permissions: [...new Set(gates.flatMap(({ needs }) => needs ?? []))],
          roles: roleIds.filter(isFor),
          products: gates.map(({ products }) => products).findLast((ids) => ids !== undefined),
        }
      }),
    ),
  )

/** Returns the first of the products for which the viewer has a menu. */
export const productWithMenu = (
  menu: readonly MenuGroup[],
  viewer: Viewer,
  products: readonly Product[],
): Product | undefined => products.find(({ id }) => visibleMenu(menu, viewer, id).length > 0)

/** Returns all links, those of a section with the section's icon. */
export const linksOf = (groups: readonly MenuGroup[]): (MenuLink & { group: string; icon: MenuIcon })[] =>
  groups.flatMap((group) =>
    group.entries.flatMap((entry) =>
      (isSection(entry) ? entry.links : [entry]).map((link) => ({
        ...link,
        icon: link.icon ?? entry.icon,
        group: group.label,
      })),
    ),
  )

/** Returns the pages that G and a letter open, for the viewer whose menu it is. */
export const goLinksOf = (
  groups: readonly MenuGroup[],
  others: readonly { goKey?: string; name: string; path: string }[] = [],
): { key: string; label: string; to: string }[] => [
  { key: 'd', label: 'Dashboard', to: '/dashboard' },
  ...linksOf(groups).flatMap(({ goKey, label, to }) => (goKey ? [{ key: goKey, label, to }] : [])),
  ...others.flatMap(({ goKey, name, path }) => (goKey ? [{ key: goKey, label: name, to: path }] : [])),
]

const pathOf = ({ to }: MenuLink): string => to.split('?')[0]!

/** Returns the menu link for an address: the longest one that its path is equal to or below. */
export function activeLink(groups: readonly MenuGroup[], path: string, search = ''): string | undefined {
  const has = (wanted: string | undefined) =>
    wanted === undefined || search.replace('?', '').split('&').includes(wanted)
  const at = linksOf(groups).filter((link) => isWithin(path, pathOf(link)) && has(link.to.split('?')[1]))
  return at.map(({ to }) => to).toSorted((a, b) => b.length - a.length)[0]
}
