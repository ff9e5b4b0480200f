import { sql, type RawBuilder } from 'kysely'

/** Returns the condition that an address bounced, so that nothing more is sent to it (mail/delivery.ts). */
export const isBounced = (address: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`exists (select from bounced_addresses b where b.address = (${address})::citext and b.marked_at is not null)`
