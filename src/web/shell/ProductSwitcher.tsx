import { useEffect, useState } from 'react'
import { Loader } from '@mantine/core'
import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router'
import { hidesProduct, offersAllProducts, switcherSection } from '#shared/products.ts'
import { useMyProducts, useProduct } from '#web/session.ts'
import classes from '#web/shell/TopBar.module.css'
import { useOpenProduct } from '#web/shell/shownProduct.ts'
import { useChooseProduct } from '#web/shell/useChooseProduct.ts'
import { productColor } from '#web/theme.ts'

const spinnerMs = 2000

/**
 * Buttons for the viewer's products, on pages that are scoped by product (A §2). Choosing a product stores
 * the choice and refetches what the page shows; the spinner is required by the specification and blocks
 * nothing. Product 2 has no button on categories and posts: if it is the stored choice there, no button is
 * pressed (docs/spec-gaps.md G48). A list that can show all products together has a button for that, which is only
 * in the address: the stored choice stays for all other pages. On the page of a record, the record's product is
 * pressed; choosing another one leads to the list.
 */
export function ProductSwitcher() {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const products = useMyProducts()
  const [chosen, open] = [useProduct(), useOpenProduct()]
  const shown = open ?? chosen
  const chooseProduct = useChooseProduct()
  const navigate = useNavigate()
  const { product_scope } = useSearch({ strict: false }) as { product_scope?: unknown }
  const isAll = offersAllProducts(path) && product_scope === 'all'
  const [spinsFor, setSpinsFor] = useState<{ name: string }>()

  useEffect(() => {
    if (!spinsFor) return
    const timer = setTimeout(() => setSpinsFor(undefined), spinnerMs)
    return () => clearTimeout(timer)
  }, [spinsFor])

  if (switcherSection(path) === undefined || products.length === 0) return null

  async function choose({ id, name }: { id: number; name: string }): Promise<void> {
    if (!(await chooseProduct(id))) return
    setSpinsFor({ name })
    if (isAll) show(undefined)
    // The open record isn't of this product, so its list is shown. The user was asked about unsaved input already.
    else if (open !== undefined && open !== id)
      void navigate({ to: switcherSection(path)!, ignoreBlocker: id !== chosen })
  }
  const show = (all: 'all' | undefined) =>
    void navigate({
      to: '.',
      search: (now: object) => ({ ...now, product_scope: all, page: undefined }) as never,
    })

  return (
    <div className={classes.products} role="group" aria-label="Product">
      {products
        .filter(({ id }) => !hidesProduct(path, id))
        .map((product) => (
          <button
            key={product.id}
            type="button"
            className={classes.product}
            style={{ '--product': productColor(product.id) }}
            aria-pressed={product.id === shown && !isAll}
            onClick={() => void choose(product)}
          >
            <span className={classes.productDot} aria-hidden />
            {product.name}
          </button>
        ))}
      {offersAllProducts(path) && products.length > 1 && (
        <button
          type="button"
          className={classes.product}
          style={{ '--product': 'var(--text-soft)' }}
          aria-pressed={isAll}
          onClick={() => show('all')}
        >
          All products
        </button>
      )}
      <span role="status" className={classes.productSpinner}>
        {spinsFor && <Loader size={14} aria-label={`Loading ${spinsFor.name}`} />}
      </span>
    </div>
  )
}
