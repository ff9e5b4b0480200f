import type { LeadNumbers as Numbers } from '#features/crm/leads/numbers/contract.ts'
import { FollowUps } from '#features/crm/leads/numbers/web/FollowUps.tsx'
import { LeadsByWeek } from '#features/crm/leads/numbers/web/LeadsByWeek.tsx'
import classes from '#features/crm/leads/numbers/web/numbers.module.css'
import { useLeadNumbers, useProductName } from '#features/crm/leads/numbers/web/useLeadNumbers.ts'
import { CardRow } from '#web/dashboard/DashboardCard.tsx'
import { Loaded } from '#web/list/states.tsx'

/** Dashboard card with the leads of the last weeks, for viewers who are allowed to list leads. */
export function LeadsByStatusCard() {
  const { may, query } = useLeadNumbers()
  const product = useProductName()
  return may && <LeadsByWeek query={query} product={product} />
}

/** Dashboard cards with due follow-ups, for viewers who are allowed to list leads. */
export function FollowUpCards() {
  const { may, query } = useLeadNumbers()
  if (!may) return null
  return (
    <Loaded query={query} what="Follow-ups" skeleton={<Skeleton />}>
      {(numbers) => <Cards numbers={numbers} />}
    </Loaded>
  )
}

function Cards({ numbers }: { numbers: Numbers }) {
  const product = useProductName()
  return (
    <CardRow columns={3}>
      <FollowUps
        title="Overdue follow-ups"
        tab="overdue"
        items={numbers.overdue}
        by={numbers.overdue.by}
        none="No overdue follow-ups."
        product={product}
      />
      <FollowUps
        title="Follow-ups today"
        tab="today"
        items={numbers.today}
        none="No follow-ups due today."
        product={product}
      />
      <FollowUps
        title="Next 7 days"
        tab="next"
        items={numbers.next}
        none="No follow-ups due in the next 7 days."
        product={product}
      />
    </CardRow>
  )
}

const Skeleton = () => (
  <CardRow columns={3}>
    {[1, 2, 3].map((card) => (
      <div key={card} className={classes.cardSkeleton} />
    ))}
  </CardRow>
)
