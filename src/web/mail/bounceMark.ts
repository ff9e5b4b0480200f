import { useQuery } from '@tanstack/react-query'
import { bounceMarks, type BouncedAddress } from '#shared/received-mails.ts'
import { queryOptionsFor } from '#web/api/client.ts'

/** Returns the mark of an address to which emails bounced, or whose owner complained. */
export const useBounceMark = (address: string): BouncedAddress | undefined =>
  useQuery(queryOptionsFor(bounceMarks.of, { query: { address } })).data?.data[0]
