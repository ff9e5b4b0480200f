import { chatRoutes } from '#features/panel/chat/server/chat.routes.ts'
import { dashboardRoutes } from '#features/panel/dashboard/server/dashboard.routes.ts'
import { progressRoutes } from '#features/tasks/progress/server/progress.routes.ts'
import { optionListRoutes } from '#features/admin/lists/server/lists.routes.ts'
import { bounceRoutes } from '#features/admin/mail-settings/server/bounces.routes.ts'
import { blockedSenderRoutes } from '#features/crm/emails/server/blocked-senders.ts'
import { inboundEmailRoutes } from '#features/crm/emails/server/inbound.routes.ts'
import { receivedRoutes } from '#features/crm/emails/server/received.routes.ts'
import { unsortedRoutes } from '#features/crm/emails/server/unsorted.routes.ts'
import { mailboxRoutes } from '#features/admin/mail-settings/server/mailboxes.routes.ts'
import { mailSettings, ownAddress } from '#features/admin/mail-settings/contract.ts'
import { mailTemplates } from '#features/admin/mail-settings/templates.contract.ts'
import { ownAddressRoutes } from '#features/admin/mail-settings/server/own-address.routes.ts'
import { senderRoutes } from '#features/admin/mail-settings/server/senders.routes.ts'
import { templateRoutes } from '#features/admin/mail-settings/server/templates.routes.ts'
import { recordMailRoutes } from '#features/crm/record-mails/server/record-mails.routes.ts'
import { optionRoutes } from '#features/admin/lists/server/options.routes.ts'
import { contractRoutes } from '#features/admin/customer-contracts/server/contracts.routes.ts'
import { outboxRoutes } from '#features/admin/outbox/server/outbox.routes.ts'
import { sessionRoutes } from '#features/panel/session/server/session.routes.ts'
import { signInRoutes } from '#features/panel/session/server/sign-in.routes.ts'
import { passwordRoutes } from '#features/panel/session/server/passwords.routes.ts'
import { profileRoutes } from '#features/admin/staff/server/profile.routes.ts'
import { pictureRoutes } from '#features/panel/session/server/pictures.routes.ts'
import { taskRoutes } from '#features/tasks/tasks/details/server/tasks.routes.ts'
import { taskNumberRoutes } from '#features/tasks/tasks/server/numbers.routes.ts'
import { workloadRoutes } from '#features/tasks/tasks/server/workload.routes.ts'
import { taskIssueRoutes } from '#features/tasks/tasks/server/issues.routes.ts'
import { taskReportRoutes } from '#features/tasks/tasks/server/reports.routes.ts'
import { holidayRoutes } from '#features/tasks/tasks/calendar/server/holidays.routes.ts'
import { rolesRoutes } from '#features/admin/settings/server/roles.routes.ts'
import { teamsRoutes } from '#features/admin/teams/server/teams.routes.ts'
import { recordRoutes } from '#server/record/records.routes.ts'
import { draftRoutes } from '#server/record/drafts.routes.ts'
import { fileRoutes } from '#server/files/files.routes.ts'
import { readRoutes } from '#server/http/reads.ts'
import { postNumberRoutes } from '#features/cms/articles/posts/server/numbers.routes.ts'
import { postRoutes } from '#features/cms/articles/posts/server/posts.routes.ts'
import { categoryRoutes } from '#features/cms/articles/categories/server/categories.routes.ts'
import { tagRoutes } from '#features/cms/articles/tags/server/tags.routes.ts'
import { commentRoutes } from '#features/cms/articles/comments/server/comments.routes.ts'
import { mediaRoutes } from '#features/cms/articles/media/server/media.routes.ts'
import { metaTagRoutes } from '#features/cms/articles/meta-tags/server/meta-tags.routes.ts'
import { announcingRoutes } from '#features/cms/articles/announcing/server/announcing.routes.ts'
import { kindRoutes } from '#features/cms/articles/kinds/server/kinds.routes.ts'
import { faqRoutes } from '#features/cms/articles/faqs/server/faqs.routes.ts'
import { termsRoutes } from '#features/admin/terms/server/terms.routes.ts'
import { awayRoutes } from '#features/admin/staff/server/away.routes.ts'
import { staffRoutes } from '#features/admin/staff/server/staff.routes.ts'
import { logRoutes } from '#features/admin/logs/server/logs.routes.ts'
import { panelSettingsRoutes } from '#features/admin/settings/server/panel-settings.routes.ts'
import { noticeRoutes } from '#features/panel/notices/server/notices.routes.ts'
import type { App } from '#server/app.ts'
import { platform } from '#app/server/platform.contract.ts'
import { drafts } from '#shared/drafts.ts'
import { contentsOfFiles } from '#shared/file-contents.contract.ts'
import { files } from '#shared/files.ts'
import { mails, unsubscribing } from '#shared/mails.ts'
import { options } from '#shared/options.contract.ts'
import { organizationNames } from '#shared/organizations.contract.ts'
import { profilePicture } from '#shared/profile-picture.contract.ts'
import { bounceMarks, receivedMails } from '#shared/received-mails.ts'
import { reads } from '#shared/reads.contract.ts'
import { recordMails } from '#shared/record-mail.contract.ts'
import { recordNotes } from '#shared/notes.contract.ts'
import { records } from '#shared/record.contract.ts'
import { views } from '#shared/views.contract.ts'
import { session } from '#features/panel/session/contract.ts'
import { teams } from '#features/admin/teams/contract.ts'
import { panelSettings } from '#features/admin/settings/contract.ts'
import { roleSettings } from '#features/admin/settings/roles.contract.ts'
import { widgets } from '#features/admin/settings/widgets.contract.ts'
import { dashboard } from '#features/panel/dashboard/contract.ts'
import { chat } from '#features/panel/chat/contract.ts'
import { notices } from '#features/panel/notices/contract.ts'
import { optionLists } from '#features/admin/lists/contract.ts'
import { contracts } from '#features/admin/customer-contracts/contract.ts'
import { progress } from '#features/tasks/progress/contract.ts'
import { outbox } from '#features/admin/outbox/contract.ts'
import { holidays } from '#features/tasks/tasks/calendar/contract.ts'
import { anyTask, tasks } from '#features/tasks/tasks/contract.ts'
import { issues } from '#features/tasks/tasks/issues.contract.ts'
import { taskNumbers } from '#features/tasks/tasks/numbers.contract.ts'
import { workload } from '#features/tasks/tasks/workload.contract.ts'
import { reports } from '#features/tasks/tasks/reports.contract.ts'
import { postNumbers } from '#features/cms/articles/posts/numbers.contract.ts'
import { posts } from '#features/cms/articles/posts/contract.ts'
import { categories, faqCategories } from '#features/cms/articles/categories/contract.ts'
import { tags } from '#features/cms/articles/tags/contract.ts'
import { comments } from '#features/cms/articles/comments/contract.ts'
import { media } from '#features/cms/articles/media/contract.ts'
import { metaTags } from '#features/cms/articles/meta-tags/contract.ts'
import { announcing } from '#features/cms/articles/announcing/contract.ts'
import { faqs } from '#features/cms/articles/faqs/contract.ts'
import { terms } from '#features/admin/terms/contract.ts'
import { absences } from '#shared/away.contract.ts'
import { staff } from '#features/admin/staff/contract.ts'
import { logs } from '#features/admin/logs/contract.ts'
import { mailboxes } from '#features/admin/mail-settings/mailboxes.contract.ts'
import { bounces } from '#features/admin/mail-settings/bounces.contract.ts'
import { inboundEmail, unsorted } from '#features/crm/emails/contract.ts'
import { callsOf, pdfOf } from '#features/cms/articles/kinds/contract.ts'
import { articleKindNames, hasPart } from '#shared/article-kinds.ts'
import type { EndpointShape } from '#shared/endpoint.ts'
import type { PlainDate } from '#shared/dates.ts'
import { seedArticles } from '#features/cms/articles/shared/server/articles.seed.ts'
import { seedContracts } from '#features/admin/customer-contracts/server/contracts.seed.ts'
import { seedChat } from '#features/panel/chat/server/chat.seed.ts'
import { seedTerms } from '#features/admin/terms/server/terms.seed.ts'
import { seedKindsAndFaqs } from '#features/cms/articles/shared/server/kinds.seed.ts'
import { seedTasks } from '#features/tasks/tasks/server/tasks.seed.ts'
import type { Db } from '#server/db/db.ts'
import type { Files } from '#server/files/files.ts'
import { seedCast } from '#server/db/seed/cast.ts'
import { crmFeatures } from '#app/server/crm-features.ts'
import type { Feature } from '#app/server/feature.ts'

/**
 * The platform and all features. A new feature gets a row here; demo data is added in this order.
 */
const features: readonly Feature[] = [
  { contracts: [platform, mails, unsubscribing, { organizationNames }], routes: [] },
  { contracts: [reads], routes: [readRoutes] },
  { contracts: [records, recordNotes, views], routes: [recordRoutes] },
  { contracts: [files, contentsOfFiles], routes: [fileRoutes] },
  { contracts: [drafts], routes: [draftRoutes] },
  {
    contracts: [session, { profilePicture }],
    routes: [sessionRoutes, signInRoutes, passwordRoutes, profileRoutes, pictureRoutes],
  },
  { contracts: [teams], routes: [teamsRoutes] },
  { contracts: [dashboard], routes: [dashboardRoutes] },
  ...crmFeatures,
  { contracts: [contracts], routes: [contractRoutes], seed: seedContracts },
  { contracts: [chat], routes: [chatRoutes], seed: seedChat },
  {
    contracts: [posts, postNumbers, categories.post, tags, comments, media, metaTags, announcing],
    routes: [
      postRoutes,
      postNumberRoutes,
      categoryRoutes,
      tagRoutes,
      commentRoutes,
      mediaRoutes,
      metaTagRoutes,
      announcingRoutes,
    ],
    seed: seedArticles,
  },
  // Tasks refer to the organizations seeded above.
  {
    contracts: [anyTask, taskNumbers, workload, issues, reports, tasks.development, tasks.designer, holidays],
    routes: [taskRoutes, taskNumberRoutes, workloadRoutes, taskReportRoutes, taskIssueRoutes, holidayRoutes],
    seed: seedTasks,
  },
  { contracts: [progress], routes: [progressRoutes] },
  {
    contracts: [
      ...articleKindNames.map(callsOf),
      Object.fromEntries(
        articleKindNames.filter((name) => hasPart(name, 'pdf')).map((name) => [name, pdfOf(name)]),
      ),
      faqs,
      categories.faq,
      faqCategories,
    ],
    routes: [kindRoutes, faqRoutes],
    seed: seedKindsAndFaqs,
  },
  { contracts: [terms], routes: [termsRoutes], seed: seedTerms },
  { contracts: [options, optionLists], routes: [optionListRoutes, optionRoutes] },
  { contracts: [staff, absences], routes: [staffRoutes, awayRoutes] },
  { contracts: [logs], routes: [logRoutes] },
  { contracts: [outbox], routes: [outboxRoutes] },
  { contracts: [recordMails], routes: [recordMailRoutes] },
  { contracts: [mailboxes], routes: [mailboxRoutes] },
  {
    contracts: [receivedMails, bounceMarks, unsorted, bounces, inboundEmail],
    routes: [inboundEmailRoutes, receivedRoutes, unsortedRoutes, blockedSenderRoutes, bounceRoutes],
  },
  {
    contracts: [mailSettings, ownAddress, mailTemplates],
    routes: [templateRoutes, senderRoutes, ownAddressRoutes],
  },
  { contracts: [roleSettings, panelSettings, widgets], routes: [rolesRoutes, panelSettingsRoutes] },
  { contracts: [notices], routes: [noticeRoutes] },
]

/** The whole HTTP API. */
export const endpoints: readonly EndpointShape[] = [
  ...new Set(
    features.flatMap(({ contracts: own = [] }) => own.flatMap((contract) => Object.values(contract))),
  ),
]

export function registerFeatures(app: App): void {
  for (const { routes } of features) for (const register of routes) register(app)
}

/**
 * Seeds the cast and their records, with images if `stored` is given. Only adds missing rows; existing rows do
 * not change.
 */
export async function seedDemoData(
  db: Db,
  passwordHash: string,
  today: PlainDate,
  stored?: Files,
): Promise<void> {
  await seedCast(db, passwordHash)
  for (const { seed } of features) await seed?.(db, today, stored)
}
