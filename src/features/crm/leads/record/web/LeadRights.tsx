import { createContext, use, type ReactNode } from 'react'
import { can } from '#shared/access.ts'
import type { EndpointShape } from '#shared/endpoint.ts'
import { leads } from '#features/crm/leads/contract.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import { isAllowed } from '#web/api/client.ts'
import { useViewer, type Person } from '#web/session.ts'

/**
 * The viewer's permissions for leads. They are the same everywhere on a page, so they are not computed for
 * each cell.
 */
interface LeadRights {
  setStatus: boolean
  reject: boolean
  setColor: boolean
  setFollowup: boolean
  edit: boolean
  /** Whether the row menu contains anything for the viewer. */
  more: boolean
}

const Rights = createContext<LeadRights>({
  setStatus: false,
  reject: false,
  setColor: false,
  setFollowup: false,
  edit: false,
  more: false,
})

export function LeadRightsProvider({ children }: { children: ReactNode }) {
  return <Rights value={rightsOf(useViewer())}>{children}</Rights>
}

/** Returns the viewer's permissions for leads, updated when they change. */
export const useLeadRights = (): LeadRights => use(Rights)

function rightsOf(person: Person | undefined): LeadRights {
  const may = (endpoint: Pick<EndpointShape, 'access'>, query: object = {}) =>
    isAllowed(endpoint, { query }, person)
  return {
    setStatus: may(leads.changeLeadStatus, { status: 1 }),
    reject: may(leads.changeDemoRequestStatus, { status: rejectedStatus }),
    setColor: may(leads.changeColor),
    setFollowup: may(leads.changeFollowupDate),
    // The form starts with the stored lead's values.
    edit: may(leads.update) && may(leads.show),
    // Listed here, because the contracts of these actions are loaded with the menu.
    more: (
      [
        'lead_create_website',
        'lead_create_organization',
        'lead_send_prospection_mail',
        'lead_prospection_question',
      ] as const
    ).some((right) => can(person, right)),
  }
}
