import { Suspense, useState } from 'react'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import {
  categories,
  type CategoryKind,
  type CategoryRow,
} from '#features/cms/articles/categories/contract.ts'
import { policies, whyNot } from '#features/cms/articles/rules.ts'
import { useMay } from '#web/api/useSend.ts'
import { RowAction } from '#web/list/cells.tsx'
import { useViewer } from '#web/session.ts'
import { TextButton } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const CategoryForm = lazyPart(() => import('#features/cms/articles/categories/web/CategoryForm.tsx'))
const Moderators = lazyPart(() => import('#features/cms/articles/categories/web/Moderators.tsx'))
const DeleteCategory = lazyPart(() => import('#features/cms/articles/categories/web/DeleteCategory.tsx'))

interface Props {
  kind: CategoryKind
  /** The product of the new category. */
  product_id?: number | undefined
}

/**
 * Button that opens the form for a new category. Without permission to create one, its tooltip says who can.
 */
export function NewCategory({ kind, product_id }: Props) {
  const [isOpen, setOpen] = useState(false)
  const why = whyNot(policies.category.create, useViewer())
  return (
    <>
      <TextButton
        primary={why === undefined}
        icon={<IconPlus size={14} aria-hidden />}
        aria-disabled={why !== undefined || undefined}
        title={why}
        onClick={() => why === undefined && setOpen(true)}
      >
        New category
      </TextButton>
      <Suspense>
        {isOpen && <CategoryForm kind={kind} product_id={product_id} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}

const dialogs = { edit: CategoryForm, moderators: Moderators, delete: DeleteCategory }

/** Actions in a category's row. */
export function CategoryActs({ kind, category }: { kind: CategoryKind; category: CategoryRow }) {
  const [open, setOpen] = useState<keyof typeof dialogs>()
  const { id, title, moderated } = category
  const viewer = useViewer()
  const why = whyNot(policies.category.update, viewer, { moderated })
  const whyAdmin = whyNot(policies.category.remove, viewer)
  const mayEdit = useMay(categories[kind].update, { params: { id: String(id) }, body: {} })
  const Dialog = open && dialogs[open]
  return (
    <>
      {mayEdit && (
        <>
          <RowAction whyNot={why} onClick={() => setOpen('edit')} aria-label={`Edit ${title}`}>
            Edit
          </RowAction>
          <RowAction
            whyNot={whyAdmin}
            onClick={() => setOpen('moderators')}
            aria-label={`Moderators of ${title}`}
          >
            Moderators
          </RowAction>
          <RowAction
            whyNot={whyAdmin}
            onClick={() => setOpen('delete')}
            aria-label={`Move to trash: ${title}`}
          >
            Move to trash
          </RowAction>
        </>
      )}
      <Suspense>
        {Dialog && <Dialog kind={kind} category={category} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </>
  )
}
