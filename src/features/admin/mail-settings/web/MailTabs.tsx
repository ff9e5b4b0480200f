import { PageTabs } from '#web/parts/Tabs.tsx'

const tabs = [
  ['/settings/mail', 'Senders'],
  ['/settings/mail/templates', 'Templates'],
  ['/settings/mail/mailboxes', 'Mailboxes'],
  ['/settings/mail/bounces', 'Bounces'],
] as const

/** The tabs of the email settings. */
export const MailTabs = () => <PageTabs label="Email" tabs={tabs} />
