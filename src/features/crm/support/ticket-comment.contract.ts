import { z } from 'zod'
import { recordFile } from '#shared/files.ts'
import { instant } from '#shared/schemas.ts'
import { int } from '#features/crm/support/parts.contract.ts'

/** An internal note of a ticket. */
export const TicketComment = z.object({
  id: int,
  ticket_id: int,
  support_comment: z.string(),
  tag_user: z.array(z.object({ id: int, name: z.string() })),
  lead_id: int.nullable(),
  organization_id: int.nullable(),
  message_id: int.nullable(),
  created_by: int,
  who: z.string(),
  created_at: instant,
  /** When the author last changed the text; null if it is as it was written. */
  edited_at: instant.nullable(),
  attachments: z.array(recordFile.extend({ path: z.string() })),
})
export type TicketComment = z.output<typeof TicketComment>
