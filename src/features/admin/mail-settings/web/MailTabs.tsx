import { useRouterState } from '@tanstack/react-router'
import { PageTab, PageTabs } from '#web/parts/Tabs.tsx'

const tabs = [
  ['/settings/mail', 'Senders'],
  ['/settings/mail/templates', 'Templates'],
  ['/settings/mail/mailboxes', 'Mailboxes'],
  ['/settings/mail/bounces', 'Bounces'],
] as const

/** The tabs of the email settings, each with an address. */
export function MailTabs() {
  const here = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <PageTabs label="Email">
      {tabs.map(([to, label]) => (
        <PageTab key={to} to={to} isCurrent={to === here}>
          {label}
        </PageTab>
      ))}
    </PageTabs>
  )
}
