import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'

/** Endpoints of the platform itself: the client's configuration and the live connection. */
export const platform = {
  config: endpoint({
    method: 'GET',
    path: '/config',
    summary: 'Get the settings the client needs before sign-in.',
    access: 'public',
    response: z.object({
      provider: z.string(),
      live_port: z.number().int(),
      /** Where to open the live connection; null for `live_port` on the page’s host. */
      live_url: z.string().nullable(),
      /** Length of a session with Remember me. */
      remember_days: z.number().int(),
      version: z.string(),
      copyright: z.string(),
    }),
  }),
  joinChannel: endpoint({
    method: 'POST',
    reads: true,
    path: '/broadcasting/auth',
    summary: 'Authorize a socket to join a private channel.',
    access: 'signed-in',
    body: z.object({ socket_id: z.string().min(1).max(100), channel_name: z.string().min(1).max(100) }),
    response: z.object({ auth: z.string() }),
  }),
}
