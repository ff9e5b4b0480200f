import { useState } from 'react'
import type { EndpointShape } from '#shared/endpoint.ts'
import type { RequestInput } from '#web/api/types.ts'
import { useMay } from '#web/api/useSend.ts'

/** Why a viewer who never had the permission cannot save a form; FormPage shows no form then. */
export const notPermitted = 'You don’t have permission to save this.'

/**
 * Returns why a form cannot be saved: the viewer has no permission, or it has been revoked since the form was
 * opened. In the second case the input stays, so that it can be read and copied.
 */
export function useWhyNotSave<E extends EndpointShape>(
  endpoint: E,
  input?: RequestInput<E>,
): string | undefined {
  const may = useMay(endpoint, input)
  const [hadPermission, setHad] = useState(may)
  if (may && !hadPermission) setHad(true)
  if (may) return undefined
  return hadPermission
    ? 'You no longer have permission to save this. Your changes are still here.'
    : notPermitted
}
