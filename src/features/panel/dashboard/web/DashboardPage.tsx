import { Suspense } from 'react'
import { useQuery } from '@tanstack/react-query'
import { dashboard, type Dashboard } from '#features/panel/dashboard/contract.ts'
import { reminders } from '#features/crm/leads/follow-ups/reminders.contract.ts'
import { AuditCard } from '#features/panel/dashboard/web/AuditCard.tsx'
import classes from '#features/panel/dashboard/web/dashboard.module.css'
import { DashboardSkeleton } from '#features/panel/dashboard/web/DashboardSkeleton.tsx'
import { FollowUps } from '#features/panel/dashboard/web/FollowUps.tsx'
import { LeadsByStatus } from '#features/panel/dashboard/web/LeadsByStatus.tsx'
import { MyReminders } from '#features/panel/dashboard/web/MyReminders.tsx'
import { MyWork } from '#features/panel/dashboard/web/MyWork.tsx'
import { ShownArticles } from '#features/panel/dashboard/web/ShownArticles.tsx'
import { Shortcuts } from '#features/panel/dashboard/web/Shortcuts.tsx'
import { ask } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { Loaded } from '#web/list/states.tsx'
import { useChanged } from '#web/live.ts'
import { useMyProducts, useProduct, useViewer } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { PageHeader } from '#web/shell/PageHeader.tsx'
import { useToday } from '#web/time.ts'

const LeadsByMonth = lazyPart(() => import('#features/panel/dashboard/web/LeadsByMonth.tsx'))

/** Where the day begins: what is due, how the leads stand, ways to everything else. */
export function DashboardPage() {
  const viewer = useViewer()
  const product = useProduct()
  const mayList = useMay(reminders.list, { query: {} })
  const answer = useQuery(ask(dashboard.show, { query: { lead_for: product, today: useToday() } }))

  return (
    <>
      <PageHeader>
        {viewer && (
          <span className={classes.greeting}>
            {greeting()}, {viewer.firstName}
          </span>
        )}
      </PageHeader>
      {mayList && <MyReminders />}
      <MyWork />
      <ShownArticles />
      <Loaded query={answer} skeleton={<DashboardSkeleton />}>
        {({ leads, audit }) => (
          <>
            {leads && <Leads leads={leads} />}
            <div className={classes.two}>
              <Shortcuts />
              {audit && <AuditCard entries={audit} />}
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}

function greeting(): string {
  const hour = new Date().getHours()
  return hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening'
}

function Leads({ leads }: { leads: NonNullable<Dashboard['leads']> }) {
  useChanged('leads', [dashboard.show])
  const product = useProduct()
  const name = useMyProducts().find(({ id }) => id === product)?.name
  return (
    <>
      <div className={classes.three}>
        <FollowUps title="Overdue follow-ups" tab="overdue" items={leads.overdue} none="Nothing is overdue." tone="red" />
        <FollowUps title="Follow-ups today" tab="today" items={leads.today} none="Nothing is due today." tone="orange" />
        <FollowUps title="Next 7 days" tab="next" items={leads.next} none="Nothing is planned." tone="blue" />
      </div>
      <div className={classes.two}>
        <LeadsByStatus rows={leads.by_status} product={name} />
        <section className={classes.card} aria-labelledby="by-month">
          <Suspense fallback={<div className={classes.chartSkeleton} />}>
            <LeadsByMonth rows={leads.by_month} product={name} />
          </Suspense>
        </section>
      </div>
    </>
  )
}
