import { platform } from '#app/server/platform.contract.ts'
import { drafts } from '#shared/drafts.ts'
import { files } from '#shared/files.ts'
import { mails, unsubscribing } from '#shared/mails.ts'
import { options } from '#shared/options.contract.ts'
import { organizationNames } from '#shared/organizations.contract.ts'
import { records, views } from '#shared/record.contract.ts'
import { session } from '#features/panel/session/contract.ts'
import { teams } from '#features/admin/teams/contract.ts'
import { roleSettings, panelSettings } from '#features/admin/settings/contract.ts'
import { dashboard } from '#features/panel/dashboard/contract.ts'
import { chat } from '#features/panel/chat/contract.ts'
import { mentions } from '#features/panel/bell/contract.ts'
import { leads } from '#features/crm/leads/contract.ts'
import { byTab } from '#features/crm/leads/follow-ups/by-tab.contract.ts'
import { followUps } from '#features/crm/leads/follow-ups/contract.ts'
import { reminders } from '#features/crm/leads/follow-ups/reminders.contract.ts'
import { leadOperations } from '#features/crm/leads/operations/contract.ts'
import { leadImports } from '#features/crm/leads/import/contract.ts'
import { demos } from '#features/crm/leads/demos/contract.ts'
import { leadMails } from '#features/crm/leads/mails/contract.ts'
import { leadNumbers } from '#features/crm/leads/numbers/contract.ts'
import { organizationOfLead } from '#features/crm/leads/organization/contract.ts'
import { website } from '#features/crm/leads/website/contract.ts'
import { leadLists } from '#features/admin/lists/contract.ts'
import { contracts } from '#features/admin/customer-contracts/contract.ts'
import { quickTasks } from '#features/crm/quick-tasks/contract.ts'
import { progress } from '#features/tasks/progress/contract.ts'
import { organizations } from '#features/crm/organizations/contract.ts'
import { onboardings } from '#features/crm/onboarding/contract.ts'
import { outbox } from '#features/admin/outbox/contract.ts'
import { holidays } from '#features/tasks/tasks/calendar/contract.ts'
import { anyTask, issues, reports, tasks } from '#features/tasks/tasks/contract.ts'
import { posts } from '#features/cms/articles/posts/contract.ts'
import { categories } from '#features/cms/articles/categories/contract.ts'
import { tags } from '#features/cms/articles/tags/contract.ts'
import { comments } from '#features/cms/articles/comments/contract.ts'
import { media } from '#features/cms/articles/media/contract.ts'
import { metaTags } from '#features/cms/articles/meta-tags/contract.ts'
import { announcing } from '#features/cms/articles/announcing/contract.ts'
import { faqs } from '#features/cms/articles/faqs/contract.ts'
import { faqCategories } from '#features/cms/articles/faq-categories/contract.ts'
import { terms } from '#features/admin/terms/contract.ts'
import { users } from '#features/crm/users/contract.ts'
import { staff } from '#features/admin/staff/contract.ts'
import { logs } from '#features/admin/logs/contract.ts'
import { customerView } from '#features/crm/customer-view/contract.ts'
import { support } from '#features/crm/support/contract.ts'
import { notifications } from '#features/crm/notifications/contract.ts'
import { callsOf, pdfOf } from '#features/cms/articles/kinds/contract.ts'
import { articleKindNames, hasPart } from '#shared/article-kinds.ts'
import type { EndpointShape } from '#shared/endpoint.ts'

/** Contracts of all areas; together they define the HTTP API. Add new contracts here. */
const contractsOfAreas: readonly Readonly<Record<string, EndpointShape>>[] = [
  platform,
  drafts,
  files,
  mails,
  unsubscribing,
  options,
  { organizationNames },
  records,
  views,
  session,
  teams,
  roleSettings,
  panelSettings,
  dashboard,
  chat,
  mentions,
  leads,
  // These two contracts describe the same endpoint; each page declares only its own half.
  { ...followUps, listByTab: byTab.list },
  { ...onboardings, list: byTab.list },
  reminders,
  leadOperations,
  leadImports,
  demos,
  leadMails,
  leadNumbers,
  organizationOfLead,
  website,
  leadLists,
  contracts,
  quickTasks,
  progress,
  organizations,
  outbox,
  holidays,
  anyTask,
  issues,
  reports,
  tasks.development,
  tasks.designer,
  posts,
  categories,
  tags,
  comments,
  media,
  metaTags,
  announcing,
  faqs,
  faqCategories,
  terms,
  users,
  staff,
  logs,
  customerView,
  support,
  notifications,
  ...articleKindNames.map(callsOf),
  Object.fromEntries(
    articleKindNames.filter((name) => hasPart(name, 'pdf')).map((name) => [name, pdfOf(name)]),
  ),
]

export const endpoints: readonly EndpointShape[] = [
  ...new Set(contractsOfAreas.flatMap((contract) => Object.values(contract))),
]
