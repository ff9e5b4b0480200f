import { addDays, type PlainDate } from '#shared/dates.ts'
import type { Db } from '#server/db/db.ts'

const subjects = [
  'Bed linen rental',
  'Uniform tracking',
  'Laundry management',
  'Service and support',
  'Scanner maintenance',
  'Data processing',
] as const
const paragraphs =
  '<h2>Scope</h2><p>The provider delivers the service named in the title on business days from 8 a.m. to 6 p.m.</p><h2>Term</h2><ul><li>Twelve months from the date of signature</li><li>Renews for one year unless canceled three months in advance</li></ul>'

/** Seeds contracts for existing customers. */
export async function seedContracts(db: Db, today: PlainDate): Promise<void> {
  if (await db.selectFrom('customer_contracts').select('id').executeTakeFirst()) return
  const organizations = await db
    .selectFrom('organizations')
    .select(['organization_id', 'name'])
    .orderBy('organization_id')
    .limit(24)
    .execute()
  const author = await db
    .selectFrom('staff')
    .select('id')
    .where('user_name', '=', 'editor')
    .executeTakeFirst()
  const values = organizations.map(({ organization_id, name }, index) => ({
    title: `${subjects[index % subjects.length]}: ${name}`,
    due_date: index % 5 === 4 ? null : addDays(today, index * 17 - 120),
    status: [2, 2, 1, 3, 2, 4][index % 6]!,
    content: paragraphs,
    organization_id,
    created_by: author?.id ?? null,
  }))
  if (values.length) await db.insertInto('customer_contracts').values(values).execute()
}
