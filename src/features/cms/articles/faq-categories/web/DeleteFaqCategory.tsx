import { faqCategories, type FaqCategoryRow } from '#features/cms/articles/faq-categories/contract.ts'
import { DeleteDialog } from '#features/cms/articles/categories/web/DeleteDialog.tsx'
import { findFaqCategories } from '#features/cms/articles/categories/web/findCategories.ts'
import { useSend } from '#web/api/useSend.ts'

/** Dialog for moving a category of FAQs to the trash. */
export default function DeleteFaqCategory({
  category,
  onClose,
}: {
  category: FaqCategoryRow
  onClose: () => void
}) {
  const { send, sending } = useSend(faqCategories.remove, {
    failure: 'throw',
  })
  const remove = (move_to: object) => send({ params: { id: String(category.id) }, query: move_to })
  return (
    <DeleteDialog
      title={category.title}
      find={findFaqCategories({ current: category.id })}
      remove={remove}
      sending={sending}
      onClose={onClose}
    />
  )
}
