import { sql } from 'kysely'
import type { Question } from '#features/crm/leads/mails/contract.ts'
import { withMerged } from '#features/crm/leads/record/server/leads.queries.ts'
import type { Db } from '#server/db/db.ts'

/** Returns the questions in order, with the answers of a lead and of leads merged into it. */
export function findQuestions(db: Db, lead_id: number): Promise<Question[]> {
  return db
    .selectFrom('prospection_questions as q')
    .leftJoin('lead_prospection_answers as a', (join) =>
      join.onRef('a.question_id', '=', 'q.id').on('a.lead_id', '=', lead_id),
    )
    .leftJoin('staff as s', 's.id', 'a.staff_id')
    .select(['q.id', 'q.name', sql<string>`coalesce(a.answer, '')`.as('answer'), 's.name as who'])
    .select(
      sql<
        Question['merged']
      >`(select coalesce(json_agg(json_build_object('lead_id', l.lead_id, 'companyName', l.company_name, 'answer', m.answer,
        'who', w.name) order by l.lead_id), '[]') from lead_prospection_answers m join leads l using (lead_id) join staff w on w.id = m.staff_id
        where m.question_id = q.id and m.lead_id in ${withMerged(lead_id)} and m.lead_id <> ${lead_id})`.as(
        'merged',
      ),
    )
    .orderBy('q.position')
    .orderBy('q.id')
    .execute()
}

/** Stores an answer; an empty answer deletes the stored one. */
export async function keepAnswer(
  db: Db,
  lead_id: number,
  question_id: number,
  answer: string,
  staff_id: number,
): Promise<void> {
  if (answer === '') {
    await db
      .deleteFrom('lead_prospection_answers')
      .where('lead_id', '=', lead_id)
      .where('question_id', '=', question_id)
      .execute()
    return
  }
  await db
    .insertInto('lead_prospection_answers')
    .values({ lead_id, question_id, answer, staff_id })
    .onConflict((held) =>
      held
        .columns(['lead_id', 'question_id'])
        .doUpdateSet({ answer, staff_id, answered_at: sql<string>`now()` }),
    )
    .execute()
}

/** Returns the template data other than the lead itself: the author's email address, and the next scheduled demo. */
export async function findMailFacts(db: Db, lead: { lead_id: number }, staff_id: number, now: Date) {
  const { rows } = await sql<{ email: string; demo_at: string | null }>`
    select s.email,
      (select min(d.final_date) from lead_demos d where d.lead_id = ${lead.lead_id} and d.status = 2 and d.final_date > ${now.toISOString()}) as demo_at
    from staff s where s.id = ${staff_id}`.execute(db)
  return rows[0]!
}
