import { dashboardRoutes } from '#features/dashboard/server/dashboard.routes.ts'
import { leadDemosRoutes } from '#features/leads/server/demos.routes.ts'
import { leadExportRoutes } from '#features/leads/server/export.routes.ts'
import { followUpRoutes } from '#features/leads/server/follow-ups.routes.ts'
import { leadMergeRoutes } from '#features/leads/server/merge.routes.ts'
import { leadTrashRoutes } from '#features/leads/server/trash.routes.ts'
import { leadImportRoutes } from '#features/leads/server/import.routes.ts'
import { leadsRoutes } from '#features/leads/server/leads.routes.ts'
import { leadListRoutes } from '#features/leads/server/lists.routes.ts'
import { leadMailRoutes } from '#features/leads/server/mails.routes.ts'
import { leadOperationRoutes } from '#features/leads/server/operations.routes.ts'
import { leadOrganizationRoutes } from '#features/leads/server/organization.routes.ts'
import { reminderRoutes } from '#features/leads/server/reminders.routes.ts'
import { leadWebsiteRoutes } from '#features/leads/server/website.routes.ts'
import { outboxRoutes } from '#features/outbox/server/outbox.routes.ts'
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
  followUpRoutes(app)
  reminderRoutes(app)
  leadTrashRoutes(app)
  leadMergeRoutes(app)
  leadExportRoutes(app)
  leadImportRoutes(app)
  leadDemosRoutes(app)
  leadMailRoutes(app)
  leadListRoutes(app)
  leadWebsiteRoutes(app)
  leadOrganizationRoutes(app)
  outboxRoutes(app)
  leadOperationRoutes(app)
}
