import { calendarFeedRoutes } from '#features/crm/calendar-feed/server/feed.routes.ts'
import { quickTaskRoutes } from '#features/crm/quick-tasks/server/quick-tasks.routes.ts'
import { leadCallRoutes } from '#features/crm/leads/calls/server/calls.routes.ts'
import { leadContactRoutes } from '#features/crm/leads/contacts/server/contacts.routes.ts'
import { appointmentRoutes } from '#features/crm/leads/demos/server/appointments.routes.ts'
import { leadDemosRoutes } from '#features/crm/leads/demos/server/demos.routes.ts'
import { leadExportRoutes } from '#features/crm/leads/list/server/export.routes.ts'
import { leadDuplicateRoutes } from '#features/crm/leads/duplicates/server/duplicates.routes.ts'
import { followUpRoutes } from '#features/crm/leads/follow-ups/server/follow-ups.routes.ts'
import { reminderRoutes } from '#features/crm/leads/follow-ups/server/reminders.routes.ts'
import { salesReportRoutes } from '#features/crm/leads/report/server/report.routes.ts'
import { leadForecastRoutes } from '#features/crm/leads/forecast/server/forecast.routes.ts'
import { leadImportRoutes } from '#features/crm/leads/import/server/import.routes.ts'
import { leadsRoutes } from '#features/crm/leads/record/server/leads.routes.ts'
import { leadMailRoutes } from '#features/crm/leads/mails/server/mails.routes.ts'
import { leadNumberRoutes } from '#features/crm/leads/numbers/server/numbers.routes.ts'
import { leadMergeRoutes } from '#features/crm/leads/operations/server/merge.routes.ts'
import { leadTagRoutes } from '#features/crm/leads/operations/server/tags.routes.ts'
import { leadOperationRoutes } from '#features/crm/leads/operations/server/operations.routes.ts'
import { leadOrganizationRoutes } from '#features/crm/leads/organization/server/organization.routes.ts'
import { customFieldRoutes } from '#features/crm/leads/custom-fields/server/custom-fields.routes.ts'
import { webFormRoutes } from '#features/crm/leads/web-form/server/web-forms.routes.ts'
import { leadWebsiteRoutes } from '#features/crm/leads/website/server/website.routes.ts'
import { onboardingRoutes } from '#features/crm/onboarding/server/onboarding.routes.ts'
import { stepRoutes } from '#features/crm/onboarding/server/steps.routes.ts'
import { onboardingSessionRoutes } from '#features/crm/onboarding/server/sessions.routes.ts'
import { linkRoutes } from '#features/crm/onboarding/server/links.routes.ts'
import { organizationRoutes } from '#features/crm/organizations/server/organizations.routes.ts'
import { trialRoutes } from '#features/crm/organizations/server/trials.routes.ts'
import { organizationNumberRoutes } from '#features/crm/organizations/server/numbers.routes.ts'
import { organizationStatusRoutes } from '#features/crm/organizations/server/status.routes.ts'
import { documentRoutes } from '#features/crm/organizations/server/documents.routes.ts'
import { organizationReminderRoutes } from '#features/crm/organizations/server/reminders.routes.ts'
import { userAddressRoutes } from '#features/crm/users/server/addresses.routes.ts'
import { userRoutes } from '#features/crm/users/server/users.routes.ts'
import { banRoutes } from '#features/crm/users/server/bans.routes.ts'
import { userEmailRoutes } from '#features/crm/users/server/emails.routes.ts'
import { mailingListRoutes } from '#features/crm/users/server/mailing-list.routes.ts'
import { customerViewRoutes } from '#features/crm/customer-view/server/customer-view.routes.ts'
import { notificationRoutes } from '#features/crm/notifications/server/notifications.routes.ts'
import { ticketRoutes } from '#features/crm/support/server/tickets.routes.ts'
import { commentRoutes } from '#features/crm/support/server/comments.routes.ts'
import { conversationRoutes } from '#features/crm/support/server/conversation.routes.ts'
import { deskRoutes } from '#features/crm/support/server/desk.routes.ts'
import { bulkNoteRoutes } from '#features/crm/support/server/bulk-notes.routes.ts'
import { ticketBulkRoutes } from '#features/crm/support/server/bulk.routes.ts'
import { incidentRoutes } from '#features/crm/support/server/incidents/incidents.routes.ts'
import { authorRoutes } from '#features/crm/support/server/authors.routes.ts'
import { requesterRoutes } from '#features/crm/support/server/requesters.ts'
import { mergeRoutes } from '#features/crm/support/server/merge/merge.routes.ts'
import { bulkReplyRoutes } from '#features/crm/support/server/replies/bulk-reply.routes.ts'
import { forwardRoutes } from '#features/crm/support/server/replies/forwards.routes.ts'
import { boardRoutes } from '#features/crm/support/server/board.routes.ts'
import { ticketNumberRoutes } from '#features/crm/support/server/numbers.routes.ts'
import { supportReportRoutes } from '#features/crm/support/server/report/report.routes.ts'
import { ratingRoutes } from '#features/crm/support/server/report/ratings.routes.ts'
import { ticketRuleRoutes } from '#features/crm/support/server/rules/ticket-rules.routes.ts'
import { assignmentRuleRoutes } from '#features/crm/support/server/rules/assignment-rules.routes.ts'
import { serviceTargetRoutes } from '#features/crm/support/server/targets/targets.routes.ts'
import { savedReplyRoutes } from '#features/crm/support/server/saved-replies/saved-replies.routes.ts'
import { taskNoticeRoutes } from '#features/crm/support/task-notices/server/task-notices.routes.ts'
import { requestRoutes } from '#features/crm/support/server/requests.routes.ts'
import { inboundRoutes } from '#features/crm/support/server/inbound.routes.ts'
import { appointments } from '#shared/appointments.contract.ts'
import { freeTimes } from '#shared/free-times.contract.ts'
import { calendarFeed } from '#features/crm/calendar-feed/contract.ts'
import { leads } from '#features/crm/leads/contract.ts'
import { leadBoard } from '#features/crm/leads/board.contract.ts'
import { byTab } from '#features/crm/leads/follow-ups/by-tab.contract.ts'
import { followUps } from '#features/crm/leads/follow-ups/contract.ts'
import { reminders } from '#features/crm/leads/follow-ups/reminders.contract.ts'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { leadDuplicates } from '#features/crm/leads/duplicates/contract.ts'
import { salesReport } from '#features/crm/leads/report/contract.ts'
import { leadForecast } from '#features/crm/leads/forecast/contract.ts'
import { leadImports } from '#features/crm/leads/import/contract.ts'
import { leadCalls } from '#features/crm/leads/calls/contract.ts'
import { leadContacts } from '#features/crm/leads/contacts/contract.ts'
import { demos } from '#features/crm/leads/demos/contract.ts'
import { handOver } from '#features/crm/leads/demos/hand-over.contract.ts'
import { leadMails } from '#features/crm/leads/mails/contract.ts'
import { leadNumbers } from '#features/crm/leads/numbers/contract.ts'
import { organizationOfLead } from '#features/crm/leads/organization/contract.ts'
import { customFields } from '#features/crm/leads/custom-fields/contract.ts'
import { webForms } from '#features/crm/leads/web-form/contract.ts'
import { website } from '#features/crm/leads/website/contract.ts'
import { quickTasks } from '#features/crm/quick-tasks/contract.ts'
import { organizations } from '#features/crm/organizations/contract.ts'
import { organizationNumbers } from '#features/crm/organizations/numbers.contract.ts'
import { organizationDocuments } from '#features/crm/organizations/documents.contract.ts'
import { organizationReminders } from '#features/crm/organizations/reminders.contract.ts'
import { statusChanges } from '#features/crm/organizations/status.contract.ts'
import { trials } from '#features/crm/organizations/trials.contract.ts'
import { onboardings } from '#features/crm/onboarding/contract.ts'
import { meetingLinks } from '#features/crm/onboarding/links.contract.ts'
import { onboardingSessions } from '#features/crm/onboarding/sessions.contract.ts'
import { onboardingSteps } from '#features/crm/onboarding/steps.contract.ts'
import { users } from '#features/crm/users/contract.ts'
import { userEmails } from '#features/crm/users/emails.contract.ts'
import { mailingList } from '#features/crm/users/mailing-list.contract.ts'
import { customerView } from '#features/crm/customer-view/contract.ts'
import { tickets } from '#features/crm/support/contract.ts'
import { conversation } from '#features/crm/support/conversation.contract.ts'
import { desk } from '#features/crm/support/desk.contract.ts'
import { bulkReply } from '#features/crm/support/bulk-reply.contract.ts'
import { ticketForwards } from '#features/crm/support/forwards.contract.ts'
import { incidents } from '#features/crm/support/incidents.contract.ts'
import { ticketRequester } from '#features/crm/support/requester.contract.ts'
import { ticketMerge } from '#features/crm/support/merge.contract.ts'
import { board } from '#features/crm/support/board.contract.ts'
import { ticketBoard } from '#features/crm/support/lanes.contract.ts'
import { ticketCount } from '#features/crm/support/ticket-count.contract.ts'
import { ticketNumbers } from '#features/crm/support/numbers.contract.ts'
import { requests } from '#features/crm/support/requests.contract.ts'
import { supportReport } from '#features/crm/support/report.contract.ts'
import { savedReplies } from '#features/crm/support/saved-replies.contract.ts'
import { ratings } from '#features/crm/support/ratings.contract.ts'
import { ticketRules } from '#features/crm/support/ticket-rules.contract.ts'
import { assignmentRules } from '#features/crm/support/assignment-rules.contract.ts'
import { serviceTargets } from '#features/crm/support/targets.contract.ts'
import { taskNotices } from '#features/crm/support/task-notices/contract.ts'
import { inboundTickets } from '#features/crm/support/inbound.contract.ts'
import { notifications } from '#features/crm/notifications/contract.ts'
import { leadColumnValues } from '#features/crm/leads/columns.contract.ts'
import { leadSummary } from '#features/crm/leads/summary.contract.ts'
import { leadFilterValues } from '#features/crm/leads/choice-filters.contract.ts'
import { leadZone } from '#features/crm/leads/zone.contract.ts'
import { seedQuickTasks } from '#features/crm/quick-tasks/server/quick-tasks.seed.ts'
import { seedCalls } from '#features/crm/leads/calls/server/calls.seed.ts'
import { seedDemos } from '#features/crm/leads/demos/server/demos.seed.ts'
import { seedDemoLeads } from '#features/crm/leads/record/server/leads.seed.ts'
import { seedStatusChanges } from '#features/crm/leads/record/server/status-changes.seed.ts'
import { seedOrganizations } from '#features/crm/organizations/server/organizations.seed.ts'
import { seedPeople } from '#features/crm/users/server/users.seed.ts'
import { seedSavedReplies } from '#features/crm/support/server/saved-replies/saved-replies.seed.ts'
import { seedSupport } from '#features/crm/support/server/support.seed.ts'
import type { Feature } from '#app/server/feature.ts'

/** The features of customer relations, in the order in which they add their demo data. */
export const crmFeatures: readonly Feature[] = [
  {
    contracts: [
      leads,
      leadBoard,
      leadColumnValues,
      leadSummary,
      leadFilterValues,
      leadZone,
      // These two contracts describe the same endpoint; each page declares only its own half.
      { ...followUps, listByTab: byTab.list },
      reminders,
      leadOperations,
      leadForecast,
      leadDuplicates,
      salesReport,
      leadImports,
      leadCalls,
      leadContacts,
      demos,
      handOver,
      appointments,
      freeTimes,
      leadMails,
      leadNumbers,
      organizationOfLead,
      website,
      webForms,
      customFields,
    ],
    routes: [
      leadsRoutes,
      followUpRoutes,
      reminderRoutes,
      leadExportRoutes,
      leadForecastRoutes,
      leadDuplicateRoutes,
      salesReportRoutes,
      leadImportRoutes,
      leadCallRoutes,
      leadContactRoutes,
      leadDemosRoutes,
      appointmentRoutes,
      leadMailRoutes,
      leadNumberRoutes,
      leadWebsiteRoutes,
      webFormRoutes,
      customFieldRoutes,
      leadOrganizationRoutes,
      leadOperationRoutes,
      leadTagRoutes,
      leadMergeRoutes,
    ],
    seed: async (db, today) => {
      await seedDemoLeads(db, today)
      await seedDemos(db, today)
      await seedCalls(db)
    },
  },
  {
    contracts: [
      organizations,
      organizationNumbers,
      statusChanges,
      trials,
      organizationDocuments,
      organizationReminders,
    ],
    routes: [
      organizationRoutes,
      organizationNumberRoutes,
      trialRoutes,
      organizationStatusRoutes,
      documentRoutes,
      organizationReminderRoutes,
    ],
    seed: async (db, today) => {
      await seedOrganizations(db, today)
      // The leads of the organizations are won now.
      await seedStatusChanges(db, today)
    },
  },
  {
    contracts: [{ ...onboardings, list: byTab.list }, onboardingSteps, onboardingSessions, meetingLinks],
    routes: [onboardingRoutes, stepRoutes, onboardingSessionRoutes, linkRoutes],
  },
  { contracts: [quickTasks], routes: [quickTaskRoutes], seed: seedQuickTasks },
  {
    contracts: [users, userEmails, mailingList],
    routes: [userRoutes, userAddressRoutes, banRoutes, userEmailRoutes, mailingListRoutes],
    seed: seedPeople,
  },
  // Before the tickets: when a message is canceled, its task is locked before its ticket, as when it is sent.
  { contracts: [taskNotices], routes: [taskNoticeRoutes] },
  {
    contracts: [
      tickets,
      desk,
      incidents,
      ticketMerge,
      ticketRequester,
      conversation,
      bulkReply,
      ticketForwards,
      board,
      ticketBoard,
      ticketCount,
      ticketNumbers,
      requests,
      inboundTickets,
    ],
    routes: [
      ticketRoutes,
      deskRoutes,
      ticketBulkRoutes,
      bulkNoteRoutes,
      incidentRoutes,
      mergeRoutes,
      requesterRoutes,
      authorRoutes,
      conversationRoutes,
      bulkReplyRoutes,
      forwardRoutes,
      commentRoutes,
      boardRoutes,
      ticketNumberRoutes,
      requestRoutes,
      inboundRoutes,
    ],
    seed: seedSupport,
  },
  { contracts: [supportReport], routes: [supportReportRoutes] },
  { contracts: [savedReplies], routes: [savedReplyRoutes], seed: seedSavedReplies },
  { contracts: [assignmentRules, ticketRules], routes: [assignmentRuleRoutes, ticketRuleRoutes] },
  { contracts: [serviceTargets], routes: [serviceTargetRoutes] },
  { contracts: [ratings], routes: [ratingRoutes] },
  { contracts: [notifications], routes: [notificationRoutes] },
  { contracts: [customerView], routes: [customerViewRoutes] },
  { contracts: [calendarFeed], routes: [calendarFeedRoutes] },
]
