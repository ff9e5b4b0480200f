import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { TrashedLead } from '#features/crm/leads/operations/contract.ts'
import { audited, lockLeads, writeLeads } from '#features/crm/leads/operations/server/lead-changes.ts'
import { findTakenKeys } from '#features/crm/leads/operations/server/operations.queries.ts'
import type { Db } from '#server/db/db.ts'
import type { Change } from '#server/http/audit.ts'
import { matchesSearch } from '#server/record/list.ts'

export const trashPerPage = 20

const inTrashOf = (
  products: readonly number[],
  search: string,
  lead_for: number | undefined,
) => sql`l.deleted_at is not null
  and l.lead_for = any(${lead_for === undefined ? products : [lead_for]}::int[]) and ${matchesSearch('l.search', search, { phones: true })}`

const mostRestored = 10_000

/** Returns the IDs of the leads in the trash that match a search. */
export async function idsInTrash(
  db: Db,
  search: string,
  lead_for: number | undefined,
  { products }: Viewer,
): Promise<number[]> {
  const { rows } = await sql<{
    lead_id: number
  }>`select l.lead_id from leads l where ${inTrashOf(products, search, lead_for)} order by l.lead_id limit ${mostRestored}`.execute(
    db,
  )
  return rows.map(({ lead_id }) => lead_id)
}

/** Returns a page of the trash, most recently deleted first. */
export async function findTrash(
  db: Db,
  { page, search, lead_for }: { page: number; search: string; lead_for?: number | undefined },
  { products }: Viewer,
): Promise<{ data: TrashedLead[]; total: number; per_page: number }> {
  const matching = inTrashOf(products, search, lead_for)
  const [{ rows }, total] = await Promise.all([
    sql<TrashedLead>`select l.lead_id, l.company_name as "companyName", l.contact_name as "contactName", l.email, l.lead_for, l.deleted_at, l.merged_into,
      (select s.name from staff s where s.id = l.deleted_by) as deleted_by
      from leads l where ${matching} order by l.deleted_at desc, l.lead_id desc limit ${trashPerPage} offset ${(page - 1) * trashPerPage}`.execute(
      db,
    ),
    sql<{ total: number }>`select count(*) as total from leads l where ${matching}`.execute(db),
  ])
  return { data: rows, total: total.rows[0]!.total, per_page: trashPerPage }
}

const inTrash = ['deleted_at', 'deleted_by', 'merged_into'] as const

/**
 * Restores leads from the trash. A lead whose key is now used by another lead stays in the trash, as does the
 * second of two leads with the same key.
 */
export async function restoreLeads(
  db: Db,
  ids: readonly number[],
  { products }: Viewer,
): Promise<{ changes: Change[]; kept: number[] }> {
  const held = await lockLeads(db, ids, {
    products,
    wanted: [...inTrash, 'reference', 'lead_for'],
    trashed: true,
  })
  const taken = await findTakenKeys(
    db,
    held.map(({ lead_id }) => lead_id),
  )
  const keys = new Set<string>()
  const returning = held.filter(({ lead_id, held: { reference, lead_for } }) => {
    const key = JSON.stringify([lead_for, reference])
    if (taken.has(lead_id) || (reference && keys.has(key))) return false
    keys.add(key)
    return true
  })
  const patch = { deleted_at: null, deleted_by: null, merged_into: null }
  await writeLeads(
    db,
    returning.map(({ lead_id }) => ({ lead_id, patch })),
  )
  const restored = new Set(returning.map(({ lead_id }) => lead_id))
  return {
    changes: returning.map(({ lead_id, held: { deleted_at, merged_into } }) =>
      audited({ lead_id, before: { deleted_at, merged_into }, after: patch }),
    ),
    kept: held.flatMap(({ lead_id }) => (restored.has(lead_id) ? [] : [lead_id])),
  }
}
