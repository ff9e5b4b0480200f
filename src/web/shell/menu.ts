import type { ComponentType } from 'react'
import { mayOpen, type Permission, type RoleId } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { isWithin, type Product } from '#shared/products.ts'

/** Restricts a part of the menu to some viewers (A §6); an omitted field restricts nothing. */
interface Gate {
  needs?: Permission
  products?: readonly number[]
  onlyFor?: readonly RoleId[]
  hiddenFor?: readonly RoleId[]
}

type MenuIcon = ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: boolean }>

export interface MenuLink extends Gate {
  label: string
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
  const linkPasses = (link: MenuLink) => passes(link) && mayOpen(viewer.role_id, link.to)

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

/** Returns the first of the products for which the viewer has a menu. */
export const productWithMenu = (
  menu: readonly MenuGroup[],
  viewer: Viewer,
  products: readonly Product[],
): Product | undefined => products.find(({ id }) => visibleMenu(menu, viewer, id).length > 0)

export const linksOf = (groups: readonly MenuGroup[]): (MenuLink & { group: string })[] =>
  groups.flatMap((group) =>
    group.entries.flatMap((entry) =>
      (isSection(entry) ? entry.links : [entry]).map((link) => ({ ...link, group: group.label })),
    ),
  )

/** Returns the menu link for a path: the longest one that the path is equal to or below. */
export function activeLink(groups: readonly MenuGroup[], path: string): string | undefined {
  const at = linksOf(groups)
    .map(({ to }) => to)
    .filter((to) => isWithin(path, to))
  return at.toSorted((a, b) => b.length - a.length)[0]
}
