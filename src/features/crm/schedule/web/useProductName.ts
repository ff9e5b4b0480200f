import { useMyProducts } from '#web/session.ts'
import { useAllProducts } from '#web/shell/useScope.ts'

/** Returns the name of an entry's product, if the page shows those of all products. */
export function useProductName(product: number): string | undefined {
  const [products, isAll] = [useMyProducts(), useAllProducts()]
  return isAll ? products.find(({ id }) => id === product)?.name : undefined
}
