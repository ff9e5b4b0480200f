import { searchText } from '#shared/search-text.ts'
import { request } from '#web/api/client.ts'
import { toQueryString } from '#web/api/query-string.ts'
import { inOneLine, mayOpenPage, recordSearch } from '#web/palette/search.ts'

/** Searches the saved views of all lists that the viewer can open. */
export const viewSearch = recordSearch({
  group: 'Saved views',
  find: async (search, signal) => {
    const { views } = await import('#shared/views.contract.ts')
    const { data } = await request(views.list, {}, { signal })
    return data.filter(
      ({ name, path }) => path !== '' && mayOpenPage(path) && searchText(name).includes(searchText(search)),
    )
  },
  hit: ({ id, name, path, address, own, who }) => ({
    id: `view-${id}`,
    label: name,
    detail: inOneLine(path.slice(1).replaceAll(/[/-]/g, ' '), own ? undefined : who),
    to: `${path}?${toQueryString({ ...address, saved_view: id })}`,
  }),
})
