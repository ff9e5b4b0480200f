import { categories, type CategoryRow } from '#features/cms/articles/categories/contract.ts'
import { DeleteDialog } from '#features/cms/articles/categories/web/DeleteDialog.tsx'
import { findPostCategories } from '#features/cms/articles/categories/web/findCategories.ts'
import { useSend } from '#web/api/useSend.ts'

/** Dialog for moving a category of posts to the trash. */
export default function DeleteCategory({
  category,
  onClose,
}: {
  category: CategoryRow
  onClose: () => void
}) {
  const { send, sending } = useSend(categories.remove, {
    failure: 'throw',
  })
  const find = findPostCategories({ product_id: category.product_id, current: category.id })
  const remove = (move_to: object) =>
    send({ params: { id: category.slug }, query: { product_id: category.product_id, ...move_to } })
  return (
    <DeleteDialog title={category.title} find={find} remove={remove} sending={sending} onClose={onClose} />
  )
}
