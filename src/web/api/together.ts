import { reads } from '#shared/reads.contract.ts'
import { request, type queryOptionsFor } from '#web/api/client.ts'
import { prefetch, queries } from '#web/api/queries.ts'
import { toQueryString } from '#web/api/query-string.ts'
import type { AnyInput } from '#web/api/types.ts'

type Asked = ReturnType<typeof queryOptionsFor>

/**
 * Prefetches several queries in one request. Each has its reply as from a separate request, which it sends if this one
 * fails, and whenever it is refetched.
 */
export async function prefetchTogether(asked: readonly Asked[]): Promise<void> {
  const needed = asked.filter(isNeeded)
  const together =
    needed.length > 1
      ? request(reads.together, { body: { reads: needed.map(readOf) } }).catch(() => undefined)
      : undefined
  await Promise.all(
    needed.map((query, index) =>
      prefetch({
        ...query,
        queryFn: async (context) => {
          const reply = (await together)?.replies[index]
          return reply?.status === 200 ? reply.body : query.queryFn(context)
        },
      }),
    ),
  )
}

/** Whether a query would be sent now. */
function isNeeded({ queryKey, enabled }: Asked): boolean {
  const { staleTime } = queries.getDefaultOptions().queries!
  const cached = queries.getQueryCache().find({ queryKey })
  if (!cached) return enabled()
  return enabled() && cached.state.fetchStatus !== 'fetching' && cached.isStaleByTime(staleTime as number)
}

function readOf({ queryKey: [path, { query, body }] }: { queryKey: readonly [string, Partial<AnyInput>] }) {
  return { path, query: toQueryString(query ?? {}), body: body as Record<string, unknown> | undefined }
}
