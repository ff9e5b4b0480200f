import { can, mayOpen, type Permission } from '#shared/access.ts'
import type { Person } from '#web/session.ts'

const pages: Record<string, { right: Permission; to: (id: number) => string }> = {
  lead: { right: 'lead_detail', to: (id) => `/demo-leads/lead/${id}` },
  organization: { right: 'all_organization_list', to: (id) => `/organizations/detail/organization/0/${id}` },
  ticket: { right: 'all_tickets_view', to: (id) => `/support/ticket/${id}/0` },
  task: { right: 'view_task', to: (id) => `/development-tasks?task=${id}` },
  designer_task: { right: 'designer_view_task', to: (id) => `/designer-tasks?task=${id}` },
}

/** The page of a record that a quick task is about, for who may open it. */
export function recordAddress(entity: string, id: number, viewer: Person | undefined): string | undefined {
  const page = pages[entity]
  if (!page || !viewer || !can(viewer, page.right)) return undefined
  const to = page.to(id)
  return mayOpen(viewer.role_id, to.split('?')[0]!) ? to : undefined
}
