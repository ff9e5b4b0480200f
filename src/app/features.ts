import { dashboardRoutes } from '#features/dashboard/server/dashboard.routes.ts'
import { leadDemosRoutes } from '#features/leads/server/demos.routes.ts'
import { leadImportRoutes } from '#features/leads/server/import.routes.ts'
import { leadsRoutes } from '#features/leads/server/leads.routes.ts'
import { leadOperationRoutes } from '#features/leads/server/operations.routes.ts'
import { sessionRoutes } from '#features/session/server/session.routes.ts'
import { rolesRoutes } from '#features/settings/server/roles.routes.ts'
import { teamsRoutes } from '#features/teams/server/teams.routes.ts'
import type { App } from '#server/http/implement.ts'

/** All features of the server; a new one is a line here. */
export function registerFeatures(app: App): void {
  sessionRoutes(app)
  teamsRoutes(app)
  rolesRoutes(app)
  dashboardRoutes(app)
  leadsRoutes(app)
  leadImportRoutes(app)
  leadDemosRoutes(app)
  leadOperationRoutes(app)
}
