import type { EndpointShape } from '#shared/endpoint.ts'
import type { RequestInput } from '#web/api/types.ts'
import { useMay } from '#web/api/useSend.ts'

/**
 * Returns why an open form can no longer be saved: permission has been revoked since it was opened. The input
 * stays, so that it can be read and copied.
 */
export function useWhyNotSave<E extends EndpointShape>(
  endpoint: E,
  input?: RequestInput<E>,
): string | undefined {
  return useMay(endpoint, input)
    ? undefined
    : 'You no longer have permission to save this. Your changes are still here.'
}
