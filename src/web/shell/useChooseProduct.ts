import { useQueryClient } from '@tanstack/react-query'
import { storeProduct, useProduct } from '#web/session.ts'
import { mayLeave } from '#web/message/messages.ts'

/**
 * Returns a function that chooses a product and refetches what the page shows; it resolves to false if the
 * user keeps unsaved input instead.
 */
export function useChooseProduct(): (id: number) => Promise<boolean> {
  const chosen = useProduct()
  const queries = useQueryClient()
  return async (id) => {
    if (id !== chosen && !(await mayLeave())) return false
    storeProduct(id)
    // Runs after the views have switched to the new product: queries that depend on its ID are already in
    // flight and are not sent twice.
    setTimeout(() => void queries.invalidateQueries(undefined, { cancelRefetch: false }))
    return true
  }
}
