import IconUserSearch from '@tabler/icons-react/dist/esm/icons/IconUserSearch.mjs'

/** Pages missing from the specification's menu (docs/spec-gaps.md, "People"); the palette and the dashboard's shortcuts lead to them. */
export const pagesWithoutMenu = [
  { label: 'Customer view', icon: IconUserSearch, to: '/customer-view' },
] as const
