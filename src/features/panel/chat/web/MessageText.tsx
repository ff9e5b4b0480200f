import type { ReactNode } from 'react'
import { can, mayOpen, type Permission } from '#shared/access.ts'
import { useViewer, type Person } from '#web/session.ts'
import { PageLink } from '#web/shell/PageLink.tsx'

/** Records that a message can name: `#lead 482`. The address needs the number alone; what stands before it is for reading. */
const kinds: Record<string, { right: Permission; to: (id: string) => string }> = {
  lead: { right: 'lead_detail', to: (id) => `/demo-leads/lead/${id}` },
  ticket: { right: 'all_tickets_view', to: (id) => `/support/ticket/${id}/0` },
  task: { right: 'view_task', to: (id) => `/development-tasks?task=${id}` },
}

const named = /#(lead|ticket|task) (\d{1,9})\b/g

/** A message as it was typed: text, with links to the records that the reader may open. */
export function MessageText({ text }: { text: string }) {
  const viewer = useViewer()
  const parts: ReactNode[] = []
  let from = 0
  for (const match of text.matchAll(named)) {
    const to = addressFor(match[1]!, match[2]!, viewer)
    if (to === undefined) continue
    parts.push(
      text.slice(from, match.index),
      <PageLink key={match.index} to={to}>
        {match[0]}
      </PageLink>,
    )
    from = match.index + match[0].length
  }
  parts.push(text.slice(from))
  return parts
}

function addressFor(kind: string, id: string, viewer: Person | undefined): string | undefined {
  const found = kinds[kind]
  if (!found || !viewer || !can(viewer, found.right)) return undefined
  const to = found.to(id)
  return mayOpen(viewer.role_id, to.split('?')[0]!) ? to : undefined
}
