import IconAddressBook from '@tabler/icons-react/dist/esm/icons/IconAddressBook.mjs'
import IconBriefcase from '@tabler/icons-react/dist/esm/icons/IconBriefcase.mjs'
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs'
import IconCalendarDue from '@tabler/icons-react/dist/esm/icons/IconCalendarDue.mjs'
import IconCalendarEvent from '@tabler/icons-react/dist/esm/icons/IconCalendarEvent.mjs'
import IconCalendarTime from '@tabler/icons-react/dist/esm/icons/IconCalendarTime.mjs'
import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs'
import IconChecklist from '@tabler/icons-react/dist/esm/icons/IconChecklist.mjs'
import IconCode from '@tabler/icons-react/dist/esm/icons/IconCode.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconHelpCircle from '@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconLicense from '@tabler/icons-react/dist/esm/icons/IconLicense.mjs'
import IconLifebuoy from '@tabler/icons-react/dist/esm/icons/IconLifebuoy.mjs'
import IconListDetails from '@tabler/icons-react/dist/esm/icons/IconListDetails.mjs'
import IconMailForward from '@tabler/icons-react/dist/esm/icons/IconMailForward.mjs'
import IconMessage from '@tabler/icons-react/dist/esm/icons/IconMessage.mjs'
import IconNews from '@tabler/icons-react/dist/esm/icons/IconNews.mjs'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import IconRocket from '@tabler/icons-react/dist/esm/icons/IconRocket.mjs'
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs'
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs'
import IconShieldLock from '@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs'
import IconSignature from '@tabler/icons-react/dist/esm/icons/IconSignature.mjs'
import IconTag from '@tabler/icons-react/dist/esm/icons/IconTag.mjs'
import IconUserCog from '@tabler/icons-react/dist/esm/icons/IconUserCog.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import IconVideo from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs'
import IconBook from '@tabler/icons-react/dist/esm/icons/IconBook.mjs'
import IconPalette from '@tabler/icons-react/dist/esm/icons/IconPalette.mjs'
import { articleKindNames, articleKindRow, type ArticleKindName } from '#shared/article-kinds.ts'
import type { MenuGroup } from '#web/shell/menu.ts'
import { capitalize } from '#shared/capitalize.ts'

/*
 * The sidebar, in the order of the permission keys (A §6). Built from this table alone and filtered by
 * permission, product, and role. The command palette offers the same pages.
 */

const onlyProductOne = [1] as const
const kindIcons: Readonly<Record<string, typeof IconFileText>> = {
  'case-study': IconBriefcase,
  event: IconCalendarEvent,
  webinar: IconVideo,
  'user-guide': IconBook,
}

/**
 * Builds the menu entry for an article kind: its list and, if creating articles has a separate permission
 * key, the page for creating one.
 */
function kindEntry(kind: ArticleKindName): MenuGroup['entries'][number] {
  const { one, many, key, newKey } = articleKindRow(kind)
  const entry = {
    label: capitalize(many),
    icon: kindIcons[kind] ?? IconFileText,
    needs: key,
  }
  const [list, create] = [`/${kind}`, `/${kind}/create`]
  return newKey === undefined
    ? { ...entry, to: list }
    : {
        ...entry,
        links: [
          { label: `All ${many}`, to: list },
          { label: `New ${one}`, to: create, needs: newKey },
        ],
      }
}
const blogProducts = [1, 3, 4] as const

export const menu: readonly MenuGroup[] = [
  {
    label: 'CRM',
    needs: 'crm_view',
    entries: [
      {
        label: 'CRM dashboard',
        to: '/dashboard',
        icon: IconLayoutDashboard,
        hiddenFor: [0, 1, 3, 5],
        products: blogProducts,
      },
      { label: 'Leads', to: '/demo-leads', icon: IconAddressBook, needs: 'lead_list' },
      { label: 'Follow-ups', to: '/demo-leads/follow-ups', icon: IconCalendarDue, needs: 'lead_list' },
      {
        label: 'Schedule',
        to: '/demo-leads/demo-leads-schedule',
        icon: IconCalendarTime,
        needs: 'lead_list',
      },
      {
        label: 'Onboarding',
        to: '/on-boarding',
        icon: IconRocket,
        needs: 'onboarding_list',
        products: onlyProductOne,
      },
      {
        label: 'Organizations',
        icon: IconBuilding,
        needs: 'organization_view',
        products: onlyProductOne,
        links: [
          {
            label: 'All organizations',
            to: '/organizations/all-organizations',
            needs: 'all_organization_list',
          },
        ],
      },
      {
        label: 'Users',
        icon: IconUsers,
        needs: 'users_view',
        links: [
          { label: 'All users', to: '/users', needs: 'all_users_list' },
          { label: 'Banned users', to: '/users/banned', needs: 'all_users_list' },
          { label: 'Master Users', to: '/users/master', needs: 'all_users_list', products: onlyProductOne },
        ],
      },
      {
        label: 'Notifications',
        icon: IconSend,
        needs: 'notifications_view',
        products: onlyProductOne,
        links: [
          { label: 'Send notification', to: '/notifications/new', needs: 'send_new_list' },
          { label: 'All notifications', to: '/notifications', needs: 'all_notifications_list' },
        ],
      },
      {
        label: 'Support',
        icon: IconLifebuoy,
        needs: 'support_view',
        products: onlyProductOne,
        links: [
          { label: 'All tickets', to: '/support', needs: 'all_tickets_list' },
          { label: 'Support requests', to: '/support-requests' },
        ],
      },
    ],
  },
  {
    // Not in the CRM group, because quick tasks need no permission (docs/spec-gaps.md G113).
    label: 'Work',
    entries: [
      {
        label: 'Quick tasks',
        icon: IconChecklist,
        products: onlyProductOne,
        links: [
          { label: 'My tasks', to: '/quick-task/my-task' },
          { label: 'Created by me', to: '/quick-task/assigned-task' },
        ],
      },
    ],
  },
  {
    label: 'CMS',
    needs: 'cms_view',
    entries: [
      {
        label: 'CMS dashboard',
        to: '/dashboard',
        icon: IconLayoutDashboard,
        hiddenFor: [0, 1],
        products: blogProducts,
      },
      { label: 'Media', to: '/media', icon: IconPhoto, needs: 'media_list', products: onlyProductOne },
      {
        label: 'Blog',
        icon: IconNews,
        needs: 'blog_view',
        products: blogProducts,
        links: [
          { label: 'All posts', to: '/posts', needs: 'post_view' },
          { label: 'Categories', to: '/categories', needs: 'categories_list' },
          { label: 'New post', to: '/posts/new-post', needs: 'new_post_list' },
          { label: 'Unpublished posts', to: '/posts/unpublished', needs: 'unpublished_post_list' },
          { label: 'Tags', to: '/tags' },
        ],
      },
      {
        label: 'FAQ',
        icon: IconHelpCircle,
        needs: 'faq_view',
        products: onlyProductOne,
        links: [
          { label: 'New FAQ', to: '/faqs/new-faq', needs: 'new_faq_list' },
          { label: 'All FAQs', to: '/faqs', needs: 'all_faq_list' },
          { label: 'FAQ categories', to: '/faqcategories' },
        ],
      },
      {
        label: 'Comments',
        to: '/comments',
        icon: IconMessage,
        needs: 'latest_comments_list',
        products: onlyProductOne,
      },
      {
        label: 'Meta tags',
        to: '/meta-tag-setting',
        icon: IconTag,
        needs: 'tag_setting_list',
        products: onlyProductOne,
      },
      ...articleKindNames.map(kindEntry),
    ],
  },
  {
    label: 'Development',
    needs: 'development_view',
    products: [1, 2, 3, 4],
    entries: [
      {
        label: 'All development tasks',
        to: '/common/development/task',
        icon: IconCode,
        needs: 'development_all',
      },
      { label: 'Development tasks', to: '/development-tasks', icon: IconChecklist, needs: 'task_list' },
      {
        label: 'Delivery calendar',
        to: '/development-tasks/schedular',
        icon: IconCalendarTime,
        needs: 'view_delivery_calendar',
      },
      { label: 'Progress report', to: '/progress-report', icon: IconChartBar, needs: 'view_task_progress' },
    ],
  },
  {
    label: 'Designer',
    needs: 'view_designer',
    products: onlyProductOne,
    entries: [
      { label: 'Designer tasks', to: '/designer-tasks', icon: IconPalette, needs: 'designer_task_list' },
      {
        label: 'Designer calendar',
        to: '/designer-tasks/designerschedular',
        icon: IconCalendarTime,
        needs: 'designer_view_delivery_calendar',
      },
    ],
  },
  {
    label: 'Admin',
    needs: 'admin_view',
    entries: [
      { label: 'Admin dashboard', to: '/dashboard', icon: IconLayoutDashboard, needs: 'dashboard_list' },
      {
        label: 'Admin users',
        to: '/admin-users',
        icon: IconUserCog,
        needs: 'admin_users_list',
        products: onlyProductOne,
      },
      {
        label: 'Logs',
        icon: IconHistory,
        needs: 'logs_view',
        products: onlyProductOne,
        links: [
          { label: 'Sign-in log', to: '/users/log', needs: 'login_logs_view' },
          { label: 'Audit log', to: '/users/admin-log', needs: 'admin_users_log_list' },
        ],
      },
      {
        label: 'Terms & conditions',
        to: '/term&conditions',
        icon: IconLicense,
        needs: 'term_condition_list',
        products: onlyProductOne,
      },
      {
        label: 'Customer contracts',
        to: '/customer-contracts',
        icon: IconSignature,
        needs: 'contract_list',
        products: onlyProductOne,
      },
      {
        label: 'Settings',
        icon: IconSettings,
        needs: 'setting_view',
        products: onlyProductOne,
        links: [
          { label: 'Panel settings', to: '/settings', needs: 'admin_portal_list' },
          { label: 'Scheduling', to: '/calendly-widget-settings', needs: 'calendly_widget_list' },
        ],
      },
      // These pages are our own additions, so the specification names no permission for them.
      { label: 'Roles and permissions', to: '/settings/roles', icon: IconShieldLock, onlyFor: [0, 1] },
      { label: 'Options', to: '/settings/lists', icon: IconListDetails, onlyFor: [0, 1] },
      { label: 'Outbox', to: '/settings/outbox', icon: IconMailForward, onlyFor: [0, 1] },
    ],
  },
]
