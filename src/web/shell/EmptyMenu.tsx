import { Button } from '@mantine/core'
import { productWithMenu, type MenuGroup } from '#web/shell/menu.ts'
import { useChooseProduct } from '#web/shell/useChooseProduct.ts'
import { useMyProducts, useProduct, useViewer } from '#web/session.ts'
import classes from '#web/shell/Sidebar.module.css'

/**
 * Shown in a menu without a page for the chosen product: a button that chooses a product with pages, because
 * the dashboard has no product switcher.
 */
export function EmptyMenu({ menu }: { menu: readonly MenuGroup[] }) {
  const viewer = useViewer()
  const products = useMyProducts()
  const chosen = useProduct()
  const choose = useChooseProduct()
  const other = viewer && productWithMenu(menu, viewer, products)
  const name = products.find(({ id }) => id === chosen)?.name
  return (
    <div className={classes.empty}>
      <p>{name ? `Your role has no pages for ${name}.` : 'No products are assigned to you.'}</p>
      {other && (
        <Button size="xs" variant="default" onClick={() => void choose(other.id)}>
          Show {other.name}
        </Button>
      )}
    </div>
  )
}
