import { pagesWithoutMenu } from '#app/browser/pagesWithoutMenu.ts'
import { viewSearch } from '#web/filter/viewSearch.ts'
import type { PaletteSearch } from '#web/palette/Palette.tsx'
import { mayOpenPage } from '#web/palette/search.ts'
import { registered } from '#web/shell/page.ts'

const pageSearch: PaletteSearch = {
  group: 'More pages',
  isAllowed: () => pagesWithoutMenu.some(({ to }) => mayOpenPage(to)),
  find: async (search) =>
    pagesWithoutMenu
      .filter(({ label, to }) => mayOpenPage(to) && label.toLowerCase().includes(search.toLowerCase()))
      .map(({ label, to }) => ({ id: `page-${to}`, label, detail: '', to })),
}

/** Loads the searches of the command palette, one per kind of result. */
export const loadSearches = async (): Promise<readonly PaletteSearch[]> => {
  const ofPages = await Promise.all(
    registered.pages.flatMap(({ searches }) => (searches ? [searches()] : [])),
  )
  return [viewSearch, pageSearch, ...ofPages.flat()]
}
