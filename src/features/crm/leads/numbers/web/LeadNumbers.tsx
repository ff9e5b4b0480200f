import { Suspense } from 'react'
import { useQuery } from '@tanstack/react-query'
import { leadNumbers, type LeadNumbers as Numbers } from '#features/crm/leads/numbers/contract.ts'
import { FollowUps } from '#features/crm/leads/numbers/web/FollowUps.tsx'
import { LeadsByStatus } from '#features/crm/leads/numbers/web/LeadsByStatus.tsx'
import classes from '#features/crm/leads/numbers/web/numbers.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { CardRow } from '#web/dashboard/DashboardCard.tsx'
import { Loaded } from '#web/list/states.tsx'
import { useChanged } from '#web/live.ts'
import { useMyProducts, useProduct } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { useToday } from '#web/time.ts'

const LeadsByMonth = lazyPart(() => import('#features/crm/leads/numbers/web/LeadsByMonth.tsx'))

/**
 * Dashboard cards with due follow-ups and lead statistics of the chosen product, for viewers who are allowed
 * to list leads.
 */
export function LeadNumbers() {
  const asked = { query: { lead_for: useProduct(), today: useToday() } }
  const may = useMay(leadNumbers.show, asked)
  const query = useQuery(queryOptionsFor(leadNumbers.show, asked))
  useChanged('leads', may ? [leadNumbers.show] : [])
  if (!may) return null
  return (
    <Loaded query={query} skeleton={<Skeleton />}>
      {(numbers) => <Cards numbers={numbers} />}
    </Loaded>
  )
}

function Cards({ numbers }: { numbers: Numbers }) {
  const product = useProduct()
  const name = useMyProducts().find(({ id }) => id === product)?.name
  return (
    <>
      <CardRow columns={3}>
        <FollowUps
          title="Overdue follow-ups"
          tab="overdue"
          items={numbers.overdue}
          none="No overdue follow-ups."
          product={name}
        />
        <FollowUps
          title="Follow-ups today"
          tab="today"
          items={numbers.today}
          none="No follow-ups due today."
          product={name}
        />
        <FollowUps
          title="Next 7 days"
          tab="next"
          items={numbers.next}
          none="No follow-ups due in the next 7 days."
          product={name}
        />
      </CardRow>
      <CardRow columns={2}>
        <LeadsByStatus rows={numbers.by_status} product={name} />
        <Suspense fallback={<div className={classes.cardSkeleton} />}>
          <LeadsByMonth rows={numbers.by_month} product={name} />
        </Suspense>
      </CardRow>
    </>
  )
}

const Skeleton = () => (
  <>
    <CardRow columns={3}>
      {[1, 2, 3].map((card) => (
        <div key={card} className={classes.cardSkeleton} />
      ))}
    </CardRow>
    <CardRow columns={2}>
      {[1, 2].map((card) => (
        <div key={card} className={classes.cardSkeleton} />
      ))}
    </CardRow>
  </>
)
