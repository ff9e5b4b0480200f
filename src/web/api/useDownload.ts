import { useState } from 'react'
import type { EndpointShape } from '#shared/endpoint.ts'
import { requestFile } from '#web/api/client.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import type { InputArgument } from '#web/api/types.ts'
import { toast } from '#web/message/toast.ts'

/** Delay before the blob URL is revoked; by then the browser has long since read the file. */
const keptMs = 10_000

/**
 * Returns a function that saves the file that an endpoint returns: `const { download, loading } =
 * useDownload()`. A failure is shown as a toast.
 */
export function useDownload() {
  const [loading, setLoading] = useState(false)

  async function download<E extends EndpointShape>(
    name: string,
    endpoint: E,
    ...input: InputArgument<E>
  ): Promise<void> {
    setLoading(true)
    try {
      const link = document.createElement('a')
      link.href = URL.createObjectURL(await requestFile(endpoint, ...input))
      link.download = name
      link.click()
      setTimeout(() => URL.revokeObjectURL(link.href), keptMs)
    } catch (error) {
      toast.failure(errorMessageOf(error))
    } finally {
      setLoading(false)
    }
  }

  return { download, loading }
}
