import type { TicketRow } from '#features/crm/support/contract.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { fullTime } from '#web/time.ts'

interface Props {
  ticket: Pick<TicketRow, 'snoozed_until'>
  /** Whether it says that the ticket is snoozed, too. */
  isNamed?: boolean
}

/** When a snoozed ticket returns to the viewer's queues. */
export function SnoozedUntil({ ticket: { snoozed_until }, isNamed = false }: Props) {
  const until = snoozed_until === null ? 'until the customer writes' : `until ${fullTime(snoozed_until)}`
  return <Soft as="span">{isNamed ? `Snoozed ${until}` : `U${until.slice(1)}`}</Soft>
}
