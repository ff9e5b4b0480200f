import { useRouterState } from '@tanstack/react-router'
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
