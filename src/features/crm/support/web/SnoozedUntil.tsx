import type { TicketRow } from '#features/crm/support/contract.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { fullTime } from '#web/time.ts'

/** When a snoozed ticket returns to the viewer's queues. */
export const SnoozedUntil = ({ ticket: { snoozed_until } }: { ticket: Pick<TicketRow, 'snoozed_until'> }) => (
  <Soft as="span">
    {snoozed_until === null ? 'Until the customer writes' : `Until ${fullTime(snoozed_until)}`}
  </Soft>
)
