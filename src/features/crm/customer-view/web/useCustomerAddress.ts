import { z } from 'zod'
import { recordId, text } from '#shared/schemas.ts'
import { useAddress } from '#web/list/address/useAddress.ts'

const Address = z.object({
  q: text(200).default(''),
  /** The chosen organization, and its chosen user. */
  organization: recordId.optional(),
  user: recordId.optional(),
})

/** Keeps the search and the chosen customer in the URL, and builds the URLs of other customers. */
export function useCustomerAddress() {
  const [chosen, change] = useAddress(Address)
  const addressOf = (organization: number, user?: number) => {
    const search = new URLSearchParams(chosen.q && { q: chosen.q })
    search.set('organization', String(organization))
    if (user !== undefined) search.set('user', String(user))
    return `/customer-view?${search}`
  }
  return { ...chosen, change, addressOf }
}
export type CustomerAddress = ReturnType<typeof useCustomerAddress>
