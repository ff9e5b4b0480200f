/**
 * IDs of the four products. Their names are stored in the database (docs/spec-gaps.md#products); code refers
 * to IDs only.
 */
export const productIds = [1, 2, 3, 4] as const

export interface Product {
  id: number
  slug: string
  name: string
  /** 1 if the product is shown in the switcher. */
  status: number
}

/**
 * Returns the products that the switcher offers a user: those with status 1 that are assigned to the user (A
 * §1).
 */
export function visibleProducts<P extends Product>(products: readonly P[], assigned: readonly number[]): P[] {
  return products.filter((product) => product.status === 1 && assigned.includes(product.id))
}

/**
 * Sections whose pages and subpages show the product switcher (A §2, B §2; task pages: docs/spec-gaps.md).
 */
const switcherSections = [
  '/demo-leads',
  '/tasks',
  '/development-tasks',
  '/designer-tasks',
  '/common/development/task',
  '/common/designer/task',
  '/categories',
  '/posts',
  '/case-study',
  '/user-guide',
  '/event',
  '/brochure',
  '/webinar',
] as const

/** Sections in which the switcher hides product 2 (A §2). */
const withoutProductTwo = ['/categories', '/posts'] as const

/** Returns whether a path is a section's root or below it; `/demo-leads-x` is not below `/demo-leads`. */
export function isWithin(path: string, section: string): boolean {
  return path === section || path.startsWith(`${section}/`)
}

/** Returns the section that a page is in, if its pages show the product switcher. */
export const switcherSection = (path: string): string | undefined =>
  switcherSections.find((section) => isWithin(path, section))

const allProductsPages: readonly string[] = [
  '/demo-leads',
  '/demo-leads/demo-leads-schedule',
  '/demo-leads/follow-ups',
  '/demo-leads/forecast',
  '/demo-leads/report',
]

/** Returns whether a page can show all products of the viewer together, with `product_scope=all` in its address. */
export const offersAllProducts = (path: string): boolean => allProductsPages.includes(path)

export const hidesProduct = (path: string, product: number): boolean =>
  product === 2 && withoutProductTwo.some((section) => isWithin(path, section))
