import { useQuery } from '@tanstack/react-query'
import { categories, type CategoryRow } from '#features/cms/articles/categories/contract.ts'
import { DeleteDialog } from '#features/cms/articles/categories/web/DeleteDialog.tsx'
import { ask } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'

/** Deletes a category of posts. */
export default function DeleteCategory({ category, onClose }: { category: CategoryRow; onClose: () => void }) {
  const { data } = useQuery(ask(categories.search, { query: { q: '', admin: '1', product_id: category.product_id, current: category.id } }))
  const { send, sending } = useSend(categories.remove, { refresh: [categories.list, categories.search], failure: 'throw' })
  const remove = (move_to: object) => send({ params: { id: category.slug }, query: { product_id: category.product_id, ...move_to } })
  return <DeleteDialog title={category.title} others={data?.data ?? []} list={categories.list} remove={remove} sending={sending} onClose={onClose} />
}
