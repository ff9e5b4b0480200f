import { sql } from 'kysely'
import type { ImportedLead } from '#features/crm/leads/import/contract.ts'
import type { LockedImport } from '#features/crm/leads/import/server/import.queries.ts'
import type { ReadRow } from '#features/crm/leads/import/server/read-row.ts'
import {
  bySame,
  digitsOf,
  findSame,
  type Same,
} from '#features/crm/leads/record/server/duplicates.queries.ts'
import type { Db } from '#server/db/db.ts'

/*
 * Rows of a file that may be the same lead as another one: by the rules of the form of a lead, and for the rows of the
 * same file, too. A row and a lead that both have external IDs are the same only if these are.
 */

/** The company of a row, and the lead that may be the same one. */
export interface Alike {
  /** The company name without case, accents, and legal form; empty if nothing remains. */
  key: string
  /** The first lead that may be the same one, why, and the line of this import that created it. */
  lead: { lead_id: number; company: string; line: number | null; same: Same } | null
}

const names: Record<Same, string> = {
  companyName: 'company name',
  email: 'email address',
  phone: 'phone number',
}

/** Returns what rows are compared by, each with the product's first lead that may be the same one. */
export async function findAlike(
  db: Db,
  { id, mapping }: LockedImport,
  rows: readonly { line: number; read: ReadRow }[],
): Promise<Map<number, Alike>> {
  const compared = rows.flatMap(({ line, read: { lead } }) =>
    lead
      ? [
          {
            at: line,
            companyName: lead.companyName ?? '',
            email: lead.email ?? '',
            phone: lead.phone ?? '',
            reference: lead.reference,
          },
        ]
      : [],
  )
  if (compared.length === 0) return new Map()
  const same = (await findSame(db, mapping.lead_for, compared)).toSorted(bySame)
  const first = new Map(same.toReversed().map((one) => [one.at, one]))
  const leads = await findLeads(
    db,
    id,
    [...first.values()].map(({ lead_id }) => lead_id),
  )
  const { rows: keys } = await sql<{ at: number; key: string }>`select k.at, company_key(k.name) as key
    from jsonb_to_recordset(${JSON.stringify(compared.map(({ at, companyName }) => ({ at, name: companyName })))}::jsonb)
      as k(at int, name text)`.execute(db)
  return new Map(
    keys.map(({ at, key }) => {
      const found = first.get(at)
      const lead = found && leads.get(found.lead_id)
      return [at, { key, lead: found && lead ? { ...lead, same: found.same } : null }]
    }),
  )
}

/** Returns the names of leads, and the lines of an import that created them, by their IDs. */
async function findLeads(db: Db, import_id: number, ids: readonly number[]) {
  const { rows } = await sql<{ lead_id: number; company: string; line: number | null }>`select l.lead_id,
      l.company_name as company, (select min(r.line) from lead_import_rows r where r.lead_id = l.lead_id
        and r.import_id = ${import_id} and r.done_at is not null and r.outcome = 'create') as line
    from leads l where l.lead_id = any(${ids}::int[])`.execute(db)
  return new Map(rows.map((row) => [row.lead_id, row]))
}

/** What rows are compared by, with the rows of any external ID (`any`) or only with those without one (`bare`). */
type Which = 'any' | 'bare'
const keyOf = (same: Same, value: string, which: Which) => `${which} ${same} ${value.toLowerCase()}`

/** Returns the values by which a row is compared; those that are empty are left out. */
function valuesOf({ email = '', phone = '' }: ImportedLead, { key }: Alike): [Same, string][] {
  const values: [Same, string][] = [
    ['companyName', key],
    ['email', email],
    ['phone', digitsOf(phone)],
  ]
  return values.filter(([, value]) => value !== '')
}

/**
 * Returns the keys under which later rows find a row. Like those of a lead, the addresses and numbers of its second
 * contact count.
 * @param reference the external ID that the row’s lead will have
 */
export function alikeKeys(lead: ImportedLead, alike: Alike | undefined, reference: string | null): string[] {
  if (!alike) return []
  const { contact2_email = '', contact2_phone = '' } = lead
  const second = valuesOf({ ...lead, email: contact2_email, phone: contact2_phone }, alike)
  const which: Which[] = reference === null ? ['any', 'bare'] : ['any']
  return [...valuesOf(lead, alike), ...second].flatMap(([same, value]) =>
    which.map((one) => keyOf(same, value, one)),
  )
}

/** Says which lead or earlier row may be the same as a row without a match; undefined if none may. */
export function whyPossibleDuplicate(
  row: ImportedLead,
  alike: Alike | undefined,
  earlier: ReadonlyMap<string, number>,
): string | undefined {
  if (!alike) return undefined
  const which: Which = row.reference === undefined ? 'any' : 'bare'
  const lines = valuesOf(row, alike).map(([same, value]) => ({
    same,
    line: earlier.get(keyOf(same, value, which)),
  }))
  const earlierRow = lines.find(({ line }) => line !== undefined)
  const { lead } = alike
  if (lead && lead.line === null)
    return `Possible duplicate: lead ${lead.lead_id}, “${lead.company}”, has the same ${names[lead.same]}.`
  const found = lead ?? earlierRow
  return found && `Possible duplicate: line ${found.line} of this file has the same ${names[found.same]}.`
}
