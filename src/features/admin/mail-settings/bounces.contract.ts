import { z } from 'zod'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { pageNumber } from '#shared/page.ts'
import { BouncedAddress } from '#shared/received-mails.ts'
import { messageReply, requiredText, text } from '#shared/schemas.ts'

const int = z.number().int()

export const bouncesPerPage = 50
export const bounces = {
  list: endpoint({
    method: 'GET',
    path: '/admin/bounces',
    shows: ['mails'],
    summary:
      'List addresses that bounced or complained, newest first, 50 per page, with numbers of the last 30 days.',
    access: adminsOnly,
    query: z.object({ page: pageNumber.default(1), search: text(200).default('') }),
    response: z.object({
      data: z.array(
        BouncedAddress.extend({
          /** The last email that bounced. */
          mail_id: int.nullable(),
          /** Users and leads with this address. */
          belongs_to: z.array(z.object({ type: z.string(), id: int, name: z.string() })),
        }),
      ),
      total: int,
      per_page: int,
      last_30_days: z.object({ sent: int, hard: int, soft: int, complaints: int }),
    }),
  }),
  clear: endpoint({
    method: 'POST',
    path: '/admin/bounces/clear',
    summary: 'Mark an address as valid, so that emails are sent to it again.',
    act: 'Marked an address as valid',
    access: adminsOnly,
    body: z.object({ address: requiredText(254) }),
    response: messageReply,
  }),
}
