import { z } from 'zod'
import { recordFile } from '#shared/files.ts'
import { instant } from '#shared/schemas.ts'
import { int } from '#features/crm/support/parts.contract.ts'

/** A message of a ticket that was forwarded by email. */
export const TicketForward = z.object({
  id: int,
  message_id: int,
  who: z.string(),
  role_id: int,
  /** File name of the author’s picture. */
  picture: z.string().nullable(),
  /** HTML that the author wrote above the message. */
  content: z.string(),
  created_at: instant,
  mail_id: int,
  /** Number of seconds that the author has left to undo the forward; null if it can't be undone. */
  undo_seconds: int.nullable(),
  recipients: z.array(z.object({ address: z.string(), state: z.string(), error: z.string().nullable() })),
  /** Files of the message that were sent with it. */
  attachments: z.array(recordFile),
})
export type TicketForward = z.output<typeof TicketForward>
