import { chatRoutes } from '#features/panel/chat/server/chat.routes.ts'
import { dashboardRoutes } from '#features/panel/dashboard/server/dashboard.routes.ts'
import { progressRoutes } from '#features/tasks/progress/server/progress.routes.ts'
import { quickTaskRoutes } from '#features/crm/quick-tasks/server/quick-tasks.routes.ts'
import { leadDemosRoutes } from '#features/crm/leads/demos/server/demos.routes.ts'
import { leadExportRoutes } from '#features/crm/leads/list/server/export.routes.ts'
import { followUpRoutes } from '#features/crm/leads/follow-ups/server/follow-ups.routes.ts'
import { leadMergeRoutes } from '#features/crm/leads/operations/server/merge.routes.ts'
import { leadTagRoutes } from '#features/crm/leads/operations/server/tags.routes.ts'
import { leadImportRoutes } from '#features/crm/leads/import/server/import.routes.ts'
import { leadsRoutes } from '#features/crm/leads/record/server/leads.routes.ts'
import { leadListRoutes } from '#features/admin/lists/server/lists.routes.ts'
import { leadMailRoutes } from '#features/crm/leads/mails/server/mails.routes.ts'
import { leadNumberRoutes } from '#features/crm/leads/numbers/server/numbers.routes.ts'
import { leadOperationRoutes } from '#features/crm/leads/operations/server/operations.routes.ts'
import { leadOrganizationRoutes } from '#features/crm/leads/organization/server/organization.routes.ts'
import { reminderRoutes } from '#features/crm/leads/follow-ups/server/reminders.routes.ts'
import { leadWebsiteRoutes } from '#features/crm/leads/website/server/website.routes.ts'
import { optionRoutes } from '#features/admin/lists/server/options.routes.ts'
import { contractRoutes } from '#features/admin/customer-contracts/server/contracts.routes.ts'
import { onboardingRoutes } from '#features/crm/onboarding/server/onboarding.routes.ts'
import { organizationRoutes } from '#features/crm/organizations/server/organizations.routes.ts'
import { outboxRoutes } from '#features/admin/outbox/server/outbox.routes.ts'
import { sessionRoutes } from '#features/panel/session/server/session.routes.ts'
import { taskRoutes } from '#features/tasks/tasks/server/tasks.routes.ts'
import { taskQualityRoutes } from '#features/tasks/tasks/server/quality.routes.ts'
import { holidayRoutes } from '#features/tasks/tasks/calendar/server/holidays.routes.ts'
import { rolesRoutes } from '#features/admin/settings/server/roles.routes.ts'
import { teamsRoutes } from '#features/admin/teams/server/teams.routes.ts'
import { recordRoutes } from '#server/record/records.routes.ts'
import { draftRoutes } from '#server/drafts.routes.ts'
import { fileRoutes } from '#server/files.routes.ts'
import { postRoutes } from '#features/cms/articles/posts/server/posts.routes.ts'
import { categoryRoutes } from '#features/cms/articles/categories/server/categories.routes.ts'
import { tagRoutes } from '#features/cms/articles/tags/server/tags.routes.ts'
import { commentRoutes } from '#features/cms/articles/comments/server/comments.routes.ts'
import { mediaRoutes } from '#features/cms/articles/media/server/media.routes.ts'
import { metaTagRoutes } from '#features/cms/articles/meta-tags/server/meta-tags.routes.ts'
import { announcingRoutes } from '#features/cms/articles/announcing/server/announcing.routes.ts'
import { kindRoutes } from '#features/cms/articles/kinds/server/kinds.routes.ts'
import { faqRoutes } from '#features/cms/articles/faqs/server/faqs.routes.ts'
import { faqCategoryRoutes } from '#features/cms/articles/faq-categories/server/faq-categories.routes.ts'
import { termsRoutes } from '#features/admin/terms/server/terms.routes.ts'
import { userRoutes } from '#features/crm/users/server/users.routes.ts'
import { staffRoutes } from '#features/admin/staff/server/staff.routes.ts'
import { logRoutes } from '#features/admin/logs/server/logs.routes.ts'
import { panelSettingsRoutes } from '#features/admin/settings/server/panel-settings.routes.ts'
import { customerViewRoutes } from '#features/crm/customer-view/server/customer-view.routes.ts'
import { bellRoutes } from '#features/panel/bell/server/bell.routes.ts'
import { notificationRoutes } from '#features/crm/notifications/server/notifications.routes.ts'
import { supportRoutes } from '#features/crm/support/server/support.routes.ts'
import type { App } from '#server/http/implement.ts'

/** Registers all server features. Add new ones here. */
export function registerFeatures(app: App): void {
  recordRoutes(app)
  fileRoutes(app)
  draftRoutes(app)
  sessionRoutes(app)
  teamsRoutes(app)
  rolesRoutes(app)
  dashboardRoutes(app)
  chatRoutes(app)
  leadsRoutes(app)
  followUpRoutes(app)
  reminderRoutes(app)
  leadTagRoutes(app)
  leadMergeRoutes(app)
  leadExportRoutes(app)
  leadImportRoutes(app)
  leadDemosRoutes(app)
  leadMailRoutes(app)
  leadNumberRoutes(app)
  leadListRoutes(app)
  optionRoutes(app)
  contractRoutes(app)
  quickTaskRoutes(app)
  progressRoutes(app)
  leadWebsiteRoutes(app)
  leadOrganizationRoutes(app)
  organizationRoutes(app)
  onboardingRoutes(app)
  outboxRoutes(app)
  leadOperationRoutes(app)
  holidayRoutes(app)
  taskRoutes(app)
  taskQualityRoutes(app)
  postRoutes(app)
  categoryRoutes(app)
  tagRoutes(app)
  commentRoutes(app)
  mediaRoutes(app)
  metaTagRoutes(app)
  kindRoutes(app)
  announcingRoutes(app)
  faqRoutes(app)
  faqCategoryRoutes(app)
  termsRoutes(app)
  userRoutes(app)
  staffRoutes(app)
  logRoutes(app)
  panelSettingsRoutes(app)
  customerViewRoutes(app)
  supportRoutes(app)
  notificationRoutes(app)
  bellRoutes(app)
}
