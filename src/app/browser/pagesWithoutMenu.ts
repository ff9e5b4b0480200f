import IconUserSearch from '@tabler/icons-react/dist/esm/icons/IconUserSearch.mjs'

/**
 * Pages missing from the specification's menu (docs/spec-gaps.md, "People"), reachable from the command
 * palette and the dashboard's shortcuts.
 */
export const pagesWithoutMenu = [
  { label: 'Customer view', icon: IconUserSearch, to: '/customer-view' },
] as const
