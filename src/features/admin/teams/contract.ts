import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'

const List = z.object({ data: z.array(z.object({ id: z.number().int(), name: z.string() })) })

const all = { path: '/common/team/all', shows: ['lists'], access: 'signed-in', response: List } as const

/** Teams and task types. Part B does not say whether the second call is a GET or a POST, so both work (docs/spec-gaps.md G06). */
export const teams = {
  all: endpoint({ ...all, method: 'GET', alsoAt: ['/team/all'], summary: 'List teams.' }),
  allByPost: endpoint({
    ...all,
    calledBy: 'clients of B §7',
    method: 'POST',
    reads: true,
    summary: 'List teams. Returns the same response as the GET.',
  }),
  types: endpoint({
    method: 'GET',
    path: '/common/team/alltype',
    shows: ['lists'],
    summary: 'List task types.',
    access: 'signed-in',
    response: List,
  }),
}
