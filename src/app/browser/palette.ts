import { pagesWithoutMenu } from '#app/browser/pagesWithoutMenu.ts'
import { contractSearch } from '#features/admin/customer-contracts/web/search.ts'
import { postSearch } from '#features/cms/articles/posts/web/search.ts'
import { leadSearch } from '#features/crm/leads/record/web/search.ts'
import { organizationSearch } from '#features/crm/organizations/web/search.ts'
import { quickTaskSearch } from '#features/crm/quick-tasks/web/search.ts'
import { ticketSearch } from '#features/crm/support/web/search.ts'
import { userSearch } from '#features/crm/users/web/search.ts'
import { taskSearches } from '#features/tasks/tasks/web/search.ts'
import { viewSearch } from '#web/filter/viewSearch.ts'
import type { PaletteSearch } from '#web/palette/Palette.tsx'
import { mayOpenPage } from '#web/palette/search.ts'

const pageSearch: PaletteSearch = {
  group: 'More pages',
  isAllowed: () => pagesWithoutMenu.some(({ to }) => mayOpenPage(to)),
  find: async (search) =>
    pagesWithoutMenu
      .filter(({ label, to }) => mayOpenPage(to) && label.toLowerCase().includes(search.toLowerCase()))
      .map(({ label, to }) => ({ id: `page-${to}`, label, detail: '', to })),
}

/** Searches in the command palette, one per kind of result. Each feature exports its own. */
export const searches: readonly PaletteSearch[] = [
  viewSearch,
  pageSearch,
  leadSearch,
  organizationSearch,
  userSearch,
  ticketSearch,
  ...taskSearches,
  quickTaskSearch,
  postSearch,
  contractSearch,
]
