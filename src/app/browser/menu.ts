import { pages } from '#app/browser/features.ts'
import { menuOf } from '#web/shell/menu.ts'

/** The sidebar, filtered by permission, product, and role. The command palette offers the same pages. */
export const menu = menuOf(pages)
