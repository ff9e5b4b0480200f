import IconUserSearch from '@tabler/icons-react/dist/esm/icons/IconUserSearch.mjs'

/** Pages that the specification's menu does not have (docs/spec-gaps.md, "People"); the palette and the dashboard's shortcuts lead to them. */
export const pagesWithoutMenu = [{ label: 'Customer view', icon: IconUserSearch, to: '/customer-view' }] as const
