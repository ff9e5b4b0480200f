import type { PlainDate } from '#shared/dates.ts'
import { seedArticles } from '#features/cms/articles/shared/server/articles.seed.ts'
import { seedContracts } from '#features/admin/customer-contracts/server/contracts.seed.ts'
import { seedQuickTasks } from '#features/crm/quick-tasks/server/quick-tasks.seed.ts'
import { seedChat } from '#features/panel/chat/server/chat.seed.ts'
import { seedTerms } from '#features/admin/terms/server/terms.seed.ts'
import { seedKindsAndFaqs } from '#features/cms/articles/shared/server/kinds.seed.ts'
import { seedDemos } from '#features/crm/leads/demos/server/demos.seed.ts'
import { seedDemoLeads } from '#features/crm/leads/record/server/leads.seed.ts'
import { seedTasks } from '#features/tasks/tasks/server/tasks.seed.ts'
import { seedOrganizations } from '#features/crm/organizations/server/organizations.seed.ts'
import { seedPeople } from '#features/crm/users/server/users.seed.ts'
import { seedSupport } from '#features/crm/support/server/support.seed.ts'
import type { Db } from '#server/db/db.ts'
import type { Files } from '#server/files.ts'
import { seedCast } from '#server/db/seed/cast.ts'

/**
 * Seeds the cast and their records, with images if `files` is given. Only adds missing rows; existing rows do
 * not change.
 */
export async function seedDemoData(
  db: Db,
  passwordHash: string,
  today: PlainDate,
  files?: Files,
): Promise<void> {
  await seedCast(db, passwordHash)
  await seedDemoLeads(db, today)
  await seedDemos(db, today)
  await seedOrganizations(db, today)
  await seedContracts(db, today)
  await seedQuickTasks(db, today)
  await seedChat(db, today)
  await seedPeople(db, today)
  await seedSupport(db, today)
  await seedArticles(db, today, files)
  // Tasks refer to the organizations seeded above.
  await seedTasks(db, today)
  await seedKindsAndFaqs(db, today)
  await seedTerms(db, today)
}
