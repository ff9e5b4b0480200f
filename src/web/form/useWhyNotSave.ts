import type { EndpointShape } from '#shared/endpoint.ts'
import type { RequestInput } from '#web/api/types.ts'
import { useMay } from '#web/api/useSend.ts'

/** Returns why an open form can no longer be saved: the right was revoked meanwhile. The input stays, to be read and copied. */
export function useWhyNotSave<E extends EndpointShape>(
  endpoint: E,
  input?: RequestInput<E>,
): string | undefined {
  return useMay(endpoint, input)
    ? undefined
    : 'You no longer have permission to save this. Your changes are still here.'
}
