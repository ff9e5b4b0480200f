import { teams } from '#features/admin/teams/contract.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { usedIn } from '#server/record/option-lists.ts'

export function teamsRoutes(app: App): void {
  app.optionLists.register('teams', {
    table: 'teams',
    key: 'id',
    used: usedIn('team_members', 'team_id'),
    usedBy: ['admin user is in', 'admin users are in'],
  })
  const all = async () => ({
    data: await app.db
      .selectFrom('teams')
      .select(['id', 'name'])
      .orderBy('position')
      .orderBy('name')
      .execute(),
  })
  implement(app, teams.all, all)
  implement(app, teams.allByPost, all)
  implement(app, teams.types, async (_input, { db }) => ({
    data: await db.selectFrom('task_types').select(['id', 'name']).orderBy('id').execute(),
  }))
}
