import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'

/** Unsaved form values that are too long for the browser to store. */
const draft = z.object({
  values: z.record(z.string(), z.unknown()),
  over: z.record(z.string(), z.unknown()).optional(),
  at: z.number(),
})

const params = z.object({ name: z.string().regex(/^[\w:.-]{1,200}$/) })

/** Length in characters above which a draft is stored on the server instead of in the browser. */
export const longDraft = 50_000
/** Maximum size of a draft in bytes of UTF-8, including its envelope. */
export const largestDraft = 2_000_000

export const drafts = {
  read: endpoint({
    method: 'GET',
    path: '/drafts/{name}',
    summary: 'Get the caller’s draft with this name, or null. Drafts are private.',
    access: 'signed-in',
    params,
    response: z.object({ data: draft.nullable() }),
  }),
  keep: endpoint({
    method: 'PUT',
    path: '/drafts/{name}',
    summary: 'Save the caller’s draft for two weeks, or delete it if draft is null.',
    act: 'Saved a draft',
    access: 'signed-in',
    params,
    body: z.object({ draft: draft.nullable() }),
    maxBytes: largestDraft,
    response: z.object({ message: z.string() }),
  }),
}
