import { viewSearch } from '#web/filter/viewSearch.ts'
import type { PaletteSearch } from '#web/palette/Palette.tsx'
import { mayOpenPage } from '#web/palette/search.ts'
import { registered } from '#web/shell/page.ts'

const pagesWithoutMenu = registered.pages.filter(({ shortcut }) => shortcut)

const pageSearch: PaletteSearch = {
  group: 'More pages',
  isAllowed: () => pagesWithoutMenu.some(({ path }) => mayOpenPage(path)),
  find: async (search) =>
    pagesWithoutMenu
      .filter(({ name, path }) => mayOpenPage(path) && name.toLowerCase().includes(search.toLowerCase()))
      .map(({ name, path }) => ({ id: `page-${path}`, label: name, detail: '', to: path })),
}

/** Loads the searches of the command palette, one per kind of result. */
export const loadSearches = async (): Promise<readonly PaletteSearch[]> => {
  const ofPages = await Promise.all(
    registered.pages.flatMap(({ searches }) => (searches ? [searches()] : [])),
  )
  return [viewSearch, pageSearch, ...ofPages.flat()]
}
