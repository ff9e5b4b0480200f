import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { instant, messageReply } from '#shared/schemas.ts'

/** The caller's calendar feed, without its address, which is shown only once. */
const Feed = z.object({
  created_at: instant,
  /** When a calendar program last read it; null if none has. */
  last_read_at: instant.nullable(),
})

export const calendarFeed = {
  show: endpoint({
    method: 'GET',
    path: '/auth/calendar-feed',
    shows: ['staff'],
    summary: 'Get when the caller’s calendar feed was created and last read; null if there is none.',
    access: 'signed-in',
    response: z.object({ data: Feed.nullable() }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/auth/calendar-feed',
    summary:
      'Create the caller’s calendar feed. Returns its secret address, only this once; the address before it stops working.',
    act: 'Created a calendar feed',
    security: true,
    access: 'signed-in',
    shownOnce: ['address'],
    response: messageReply.extend({ address: z.string().nullable(), data: Feed }),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/auth/calendar-feed',
    summary: 'Turn off the caller’s calendar feed.',
    act: 'Turned off the calendar feed',
    security: true,
    access: 'signed-in',
    response: messageReply,
  }),
  read: endpoint({
    method: 'GET',
    path: '/public/calendar/{token}',
    summary:
      'Get the sessions and follow-ups of the owner of a secret address, as an iCalendar file. The owner’s permissions and products count at each request.',
    calledBy: 'calendar programs',
    access: 'public',
    params: z.object({ token: z.string().max(100) }),
  }),
}
