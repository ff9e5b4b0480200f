import { can, mayOpen, type Permission } from '#shared/access.ts'
import type { PaletteSearch } from '#web/shell/Palette.tsx'
import { request } from '#web/api/client.ts'
import { toQueryString } from '#web/api/query-string.ts'
import { viewer } from '#web/session.ts'
import { slugOf } from '#web/slug.ts'

const most = 8
/** Who may not open the page of a record is not led there. */
const mayGo = (path: string) => {
  const person = viewer()
  return person !== undefined && mayOpen(person.role_id, path)
}
const detail = (...parts: readonly (string | null | undefined)[]) => parts.filter(Boolean).join(' · ')

function taskSearch(discipline: 'development' | 'designer', group: string, needs: readonly [list: Permission, view: Permission], page: string): PaletteSearch {
  return {
    group,
    isAllowed: () => needs.every((right) => can(viewer(), right)) && mayGo(page),
    find: async (search, signal) => {
      const { tasks } = await import('#features/tasks/tasks/contract.ts')
      const { data } = await request(tasks[discipline].list, { body: { search } }, { signal })
      return data.slice(0, most).map(({ id, title }) => ({ id: `task-${id}`, label: title, detail: `#${id}`, to: `${page}?task=${id}` }))
    },
  }
}

/** Pages that the specification's menu does not have. */
const pagesWithoutMenu = [{ label: 'Customer view', to: '/customer-view' }]

/** Where the command palette looks for records; each kind is one row. */
export const searches: readonly PaletteSearch[] = [
  {
    group: 'Saved views',
    isAllowed: () => viewer() !== undefined,
    find: async (search, signal) => {
      const { views } = await import('#shared/record.contract.ts')
      const { data } = await request(views.list, {}, { signal })
      return data
        .filter(({ name, path }) => path !== '' && mayGo(path) && name.toLowerCase().includes(search.toLowerCase()))
        .slice(0, most)
        .map(({ id, name, path, address, own, who }) => ({
          id: `view-${id}`,
          label: name,
          detail: detail(path.slice(1).replaceAll(/[/-]/g, ' '), own ? undefined : who),
          to: `${path}?${toQueryString(address)}`,
        }))
    },
  },
  {
    group: 'More pages',
    isAllowed: () => pagesWithoutMenu.some(({ to }) => mayGo(to)),
    find: async (search) =>
      pagesWithoutMenu
        .filter(({ label, to }) => mayGo(to) && label.toLowerCase().includes(search.toLowerCase()))
        .map(({ label, to }) => ({ id: `page-${to}`, label, detail: '', to })),
  },
  {
    group: 'Leads',
    isAllowed: () => can(viewer(), 'lead_list'),
    find: async (search, signal) => {
      const { leads } = await import('#features/crm/leads/contract.ts')
      const { data } = await request(leads.list, { query: { search, fromDate: 'all', toDate: 'all' } }, { signal })
      return data.leads.slice(0, most).map(({ lead_id, companyName, contactName, email }) => ({
        id: `lead-${lead_id}`,
        label: companyName,
        detail: detail(contactName, email),
        to: `/demo-leads/${slugOf(companyName)}/${lead_id}`,
      }))
    },
  },
  {
    group: 'Organizations',
    isAllowed: () => can(viewer(), 'all_organization_list') && mayGo('/organizations'),
    find: async (search, signal) => {
      const { organizations } = await import('#features/crm/organizations/contract.ts')
      const { data } = await request(organizations.list, { query: { search } }, { signal })
      return data.slice(0, most).map(({ organization_id, name, country }) => ({
        id: `organization-${organization_id}`,
        label: name,
        detail: country,
        to: `/organizations/detail/${slugOf(name)}/0/${organization_id}`,
      }))
    },
  },
  {
    group: 'Users',
    isAllowed: () => can(viewer(), 'all_users_list') && mayGo('/users'),
    find: async (q, signal) => {
      const { users } = await import('#features/crm/users/contract.ts')
      const { data } = await request(users.search, { query: { q } }, { signal })
      return data.slice(0, most).map(({ id, name, organization, email, phone }) => ({
        id: `user-${id}`,
        label: name,
        detail: detail(organization, phone || email),
        to: `/users?search=${encodeURIComponent(email ?? name)}`,
      }))
    },
  },
  {
    group: 'Tickets',
    isAllowed: () => can(viewer(), 'all_tickets_list') && mayGo('/support'),
    find: async (q, signal) => {
      const { support } = await import('#features/crm/support/contract.ts')
      const { data } = await request(support.search, { query: { q } }, { signal })
      return data.slice(0, most).map(({ id, org_id, title, organization }) => ({
        id: `ticket-${id}`,
        label: title,
        detail: detail(`#${id}`, organization),
        to: `/support/ticket/${id}/${org_id}`,
      }))
    },
  },
  taskSearch('development', 'Development tasks', ['task_list', 'view_task'], '/development-tasks'),
  taskSearch('designer', 'Designer tasks', ['designer_task_list', 'designer_view_task'], '/designer-tasks'),
  {
    group: 'Quick tasks',
    isAllowed: () => mayGo('/quick-task'),
    find: async (search, signal) => {
      const { quickTasks } = await import('#features/crm/quick-tasks/contract.ts')
      const { data } = await request(quickTasks.list, { query: { search } }, { signal })
      return data.slice(0, most).map(({ id, title, person, person_name }) => ({
        id: `quick-task-${id}`,
        label: title,
        detail: `for ${person_name}`,
        to: `/quick-task/${person === viewer()?.id ? 'my' : 'assigned'}-task?status=all&search=${encodeURIComponent(title)}`,
      }))
    },
  },
  {
    group: 'Posts',
    isAllowed: () => can(viewer(), 'all_posts_list') && mayGo('/posts'),
    find: async (search, signal) => {
      const { posts } = await import('#features/cms/articles/posts/contract.ts')
      const { data } = await request(posts.list, { query: { search } }, { signal })
      return data.slice(0, most).map(({ slug, title }) => ({ id: `post-${slug}`, label: title, detail: slug, to: `/posts/${slug}` }))
    },
  },
  {
    group: 'Contracts',
    isAllowed: () => can(viewer(), 'contract_list') && mayGo('/customer-contracts'),
    find: async (search, signal) => {
      const { contracts } = await import('#features/admin/customer-contracts/contract.ts')
      const { data } = await request(contracts.list, { query: { search } }, { signal })
      return data.slice(0, most).map(({ id, title, organization }) => ({
        id: `contract-${id}`,
        label: title,
        detail: detail(organization),
        to: `/customer-contracts/update-contract/${id}`,
      }))
    },
  },
]
