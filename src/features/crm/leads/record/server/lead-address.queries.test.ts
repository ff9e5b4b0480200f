import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterMany } from '#server/db/enter-many.testing.ts'
import { hasAddress } from '#features/crm/leads/record/server/lead-address.queries.ts'

test('leads with an email address are read from an index, of one product and of all', async () => {
  const { db } = await startTestApp()
  await enterMany(
    db,
    sql`insert into leads (company_name, contact_name, phone, email, country, lead_for, lead_date, created_by)
      select 'Aalto ' || i, '', '', 'Person' || i || '@aalto.example', '', 1, '2026-03-16', 1 from generate_series(1, 20000) i`,
    sql`insert into lead_contacts (lead_id, name, email)
      select lead_id, 'Sam', 'Sam' || lead_id || '@aalto.example' from leads`,
    sql`analyze leads`,
    sql`analyze lead_contacts`,
  )
  const read = async (address: string, more = sql``) => {
    const where = sql`from leads l where ${hasAddress('l', address)} and l.deleted_at is null ${more}`
    const { rows } = await sql<{ company_name: string }>`select l.company_name ${where}`.execute(db)
    const plan = await sql<
      Record<string, string>
    >`explain select l.lead_id ${where} order by l.lead_id desc limit 2`.execute(db)
    return {
      names: rows.map(({ company_name }) => company_name),
      plan: plan.rows.map((row) => row['QUERY PLAN']).join('\n'),
    }
  }
  for (const more of [sql``, sql`and l.lead_for = 1`]) {
    expect((await read('sam8@aalto.example', more)).names).toEqual(['Aalto 8'])
    const { names, plan } = await read('person7@aalto.example', more)
    expect(names).toEqual(['Aalto 7'])
    expect(plan).toContain('leads_by_email')
    expect(plan).toContain('lead_contacts_by_email')
    expect(plan).not.toMatch(/Seq Scan|Filter: .*lower/)
  }
})
