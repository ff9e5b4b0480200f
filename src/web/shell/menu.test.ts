import { expect, test } from 'vitest'
import type { Permission, RoleId } from '#shared/access.ts'
import { activeLink, linksOf, menuOf, productWithMenu, visibleMenu, type MenuGroup } from '#web/shell/menu.ts'

const icon = () => null
const menu: MenuGroup[] = [
  {
    label: 'CRM',
    needs: 'crm_view',
    entries: [
      { label: 'CRM dashboard', to: '/dashboard', icon, hiddenFor: [0, 1, 3, 5], products: [1, 3, 4] },
      { label: 'Leads', to: '/demo-leads', icon, needs: 'lead_list' },
      {
        label: 'Users',
        icon,
        needs: 'users_view',
        links: [{ label: 'All users', to: '/users', needs: 'all_users_list' }],
      },
      { label: 'Quick task', icon, products: [1], links: [{ label: 'My tasks', to: '/quick-task/my-task' }] },
    ],
  },
  { label: 'Admin', entries: [{ label: 'Roles', to: '/settings/roles', icon, onlyFor: [0, 1] }] },
]
const seen = (role_id: RoleId, product: number | undefined, ...permissions: Permission[]) =>
  linksOf(
    visibleMenu(menu, { id: 1, role_id, permissions: new Set(permissions), products: [] }, product),
  ).map(({ label }) => label)

test('a group and a section need their own key, a link its own key as well', () => {
  expect(seen(4, 1, 'lead_list')).toEqual([])
  expect(seen(4, 2, 'crm_view', 'lead_list')).toEqual(['Leads'])
  expect(seen(4, 2, 'crm_view', 'all_users_list')).toEqual([])
  expect(seen(4, 2, 'crm_view', 'users_view', 'all_users_list')).toEqual(['All users'])
})

test('product-gated entries are shown for their products, and never without a product', () => {
  expect(seen(4, 1, 'crm_view')).toEqual(['CRM dashboard', 'My tasks'])
  expect(seen(4, 3, 'crm_view')).toEqual(['CRM dashboard'])
  expect(seen(4, undefined, 'crm_view')).toEqual([])
})

test('an empty menu can offer the first product that has pages for the viewer', () => {
  const viewer = { id: 1, role_id: 0 as const, permissions: new Set<Permission>(['crm_view']), products: [] }
  const products = [2, 3, 1].map((id) => ({ id, slug: '', name: `Product ${id}`, status: 1 }))
  const quick = [{ label: 'CRM', entries: [menu[0]!.entries[3]!] }]
  expect(productWithMenu(quick, viewer, products)?.id).toBe(1)
  expect(productWithMenu(quick, viewer, products.slice(0, 2))).toBeUndefined()
})

test('role 0 is a role: entries hidden from it are hidden, entries only for it are shown', () => {
  expect(seen(0, 1, 'crm_view')).toEqual(['My tasks', 'Roles'])
})

test('a limited role is offered nothing that the guard would refuse', () => {
  expect(seen(2, 1, 'crm_view', 'lead_list', 'users_view', 'all_users_list')).toEqual([
    'CRM dashboard',
    'Leads',
  ])
})

test("a page's link is the longest one that it is at or below", () => {
  const groups: MenuGroup[] = [
    {
      label: 'CMS',
      entries: [
        {
          label: 'Blog',
          icon,
          links: [
            { label: 'All', to: '/posts' },
            { label: 'New', to: '/posts/new-post' },
          ],
        },
      ],
    },
  ]
  expect(activeLink(groups, '/posts/new-post')).toBe('/posts/new-post')
  expect(activeLink(groups, '/posts/some-slug')).toBe('/posts')
  expect(activeLink(groups, '/posts-of-mine')).toBeUndefined()
})

test('of links to the same page, the one whose search the address has is active', () => {
  const groups = menuOf([
    {
      path: '/dashboard',
      name: 'Dashboard',
      menu: [
        { group: 'CRM', label: 'CRM dashboard', search: 'view=crm', icon },
        { group: 'Admin', icon },
      ],
    },
  ])
  expect(linksOf(groups).map(({ label, to }) => [label, to])).toEqual([
    ['CRM dashboard', '/dashboard?view=crm'],
    ['Dashboard', '/dashboard'],
  ])
  expect(activeLink(groups, '/dashboard', '?period=90&view=crm')).toBe('/dashboard?view=crm')
  expect(activeLink(groups, '/dashboard', '?view=crm-2')).toBe('/dashboard')
  expect(activeLink(groups.slice(0, 1), '/dashboard')).toBeUndefined()
})

test('the links of pages are in the groups that the pages name, in the order of the pages', () => {
  const blog = { group: 'CMS', label: 'Blog', icon, needs: 'blog_view' } as const
  const menuOfPages = menuOf([
    { path: '/contracts', name: 'Contracts', menu: { group: 'Admin', icon, needs: 'contract_list' } },
    { path: '/posts', name: 'Posts', menu: { under: blog, label: 'All posts' } },
    { path: '/posts/$post', name: 'Post' },
    {
      path: '/media',
      name: 'Media',
      menu: [
        { group: 'CMS', icon },
        { group: 'Admin', label: 'Files', icon },
      ],
    },
    { path: '/tags', name: 'Tags', menu: { under: blog } },
  ])
  const links = [
    { label: 'All posts', to: '/posts' },
    { label: 'Tags', to: '/tags' },
  ]
  expect(menuOfPages.map(({ label }) => label)).toEqual([
    'CRM',
    'Work',
    'CMS',
    'Development',
    'Designer',
    'Admin',
  ])
  expect(menuOfPages.filter(({ entries }) => entries.length > 0)).toEqual([
    {
      label: 'CMS',
      needs: 'cms_view',
      entries: [
        { label: 'Blog', icon, needs: 'blog_view', links },
        { label: 'Media', to: '/media', icon },
      ],
    },
    {
      label: 'Admin',
      needs: 'admin_view',
      entries: [
        { label: 'Contracts', to: '/contracts', icon, needs: 'contract_list' },
        { label: 'Files', to: '/media', icon },
      ],
    },
  ])
})
