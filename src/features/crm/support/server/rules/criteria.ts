import type { Viewer } from '#shared/endpoint.ts'
import { organizationKind } from '#features/crm/organizations/server/organizations.queries.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import { isVisible } from '#server/record/record.ts'

/** Criteria of an entry of the settings that a ticket must meet; null fits every ticket. */
interface Criteria {
  category: number | null
  organization_id: number | null
}

interface Demanded {
  /** Name of the field with the entries. */
  list: string
  entries: readonly Criteria[]
  /** The entries before the change: their organizations stay, also in the trash and for a viewer who can’t see them. */
  before: readonly Criteria[]
  viewer: Viewer
}

/** @throws HttpError 422 if the viewer can't see an organization that is new, or a category doesn't exist. */
export async function demandCriteria(db: Db, { list, entries, before, viewer }: Demanded): Promise<void> {
  const categories = await db.selectFrom('ticket_categories').select('id').execute()
  const kept = new Set([null, ...before.map(({ organization_id }) => organization_id)])
  for (const [index, { organization_id: organization, category }] of entries.entries()) {
    if (!kept.has(organization) && !(await isVisible(db, organizationKind, organization!, viewer)))
      throw invalid(`${list}.${index}.organization_id`, 'Choose an existing organization.')
    if (category !== null && !categories.some(({ id }) => id === category))
      throw invalid(`${list}.${index}.category`, 'Choose an existing category.')
  }
}
