import { useRouterState, useSearch } from '@tanstack/react-router'
import { hidesProduct } from '#shared/products.ts'
import { useProduct } from '#web/session.ts'

/**
 * Returns the product that scopes the page; undefined if none is assigned, or if the stored one has no button
 * on this page. The page then shows nothing rather than another product's data (docs/spec-gaps.md G48).
 */
export function useScope(): number | undefined {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const product = useProduct()
  return product !== undefined && hidesProduct(path, product) ? undefined : product
}

/** Returns whether a page that offers it shows all products of the viewer (`offersAllProducts`). */
export const useAllProducts = (): boolean => useSearch({ strict: false }).product_scope === 'all'

/** Returns the product that scopes a page that can show all products of the viewer; undefined for all of them. */
export function useScopeOrAll(): number | undefined {
  const [scope, isAll] = [useScope(), useAllProducts()]
  return isAll ? undefined : scope
}
