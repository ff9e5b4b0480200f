import { z } from 'zod'
import { recordId, text } from '#shared/schemas.ts'
import { useAddress } from '#web/list/address/useAddress.ts'

const Address = z.object({
  q: text(200).default(''),
  /** The chosen organization, and its chosen user. */
  organization: recordId.optional(),
  user: recordId.optional(),
})

const page = '/customer-view?'

/** Returns the URL of a customer, beside the results of a search if there is one. */
export function customerAddress(organization: number, user?: number, q?: string): string {
  const search = new URLSearchParams(q ? { q } : {})
  search.set('organization', String(organization))
  if (user !== undefined) search.set('user', String(user))
  return `${page}${search}`
}

export const isCustomerAddress = (to: string): boolean => to.startsWith(page)

/** Keeps the search and the chosen customer in the URL, and builds the URLs of other customers. */
export function useCustomerAddress() {
  const [chosen, change] = useAddress(Address)
  const addressOf = (organization: number, user?: number) => customerAddress(organization, user, chosen.q)
  return { ...chosen, change, addressOf }
}
export type CustomerAddress = ReturnType<typeof useCustomerAddress>
