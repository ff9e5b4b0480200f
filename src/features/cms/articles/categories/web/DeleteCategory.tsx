import { useState } from 'react'
import { Button, Modal } from '@mantine/core'
import {
  categories,
  categoryKindRows,
  type CategoryKind,
  type CategoryRow,
} from '#features/cms/articles/categories/contract.ts'
import { CategoryField } from '#features/cms/articles/categories/web/CategoryField.tsx'
import { findCategoriesOf } from '#features/cms/articles/categories/web/findCategories.ts'
import classes from '#features/cms/articles/categories/web/categories.module.css'
import { errorMessageOf, isConflict } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { useDialog } from '#web/parts/useDialog.ts'

interface Props {
  kind: CategoryKind
  category: CategoryRow
  onClose: () => void
}

/**
 * Dialog for moving a category to the trash. If the category has content, shows the server's counts and asks
 * where to move the content.
 */
export default function DeleteCategory({ kind, category, onClose }: Props) {
  const { id, product_id, title } = category
  const named = String(category[categoryKindRows[kind].removedBy])
  const { send, sending } = useSend(categories[kind].remove, { failure: 'throw' })
  const dialog = useDialog()
  const [failure, setFailure] = useState<unknown>()
  const [target, setTarget] = useState('')
  const { announceAct } = useUndo()
  const holds = isConflict(failure)

  async function remove(): Promise<void> {
    const move_to = target === '' ? undefined : Number(target)
    try {
      const reply = await send({ params: { id: named }, query: { product_id, move_to } })
      if (reply) announceAct(reply.message, reply.operation)
      onClose()
    } catch (error) {
      setFailure(error)
    }
  }

  return (
    <Modal {...dialog} opened onClose={onClose} title={`Move ${title} to trash?`}>
      <div className={classes.dialog}>
        {failure === undefined ? (
          <p>You can restore it from the trash.</p>
        ) : (
          <p role="alert">{errorMessageOf(failure)}</p>
        )}
        {holds && (
          <CategoryField
            label="Move content to"
            value={target}
            onChange={setTarget}
            find={findCategoriesOf(kind, { product_id, current: id })}
            none="Choose a category"
          />
        )}
        <span className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            color="red"
            loading={sending}
            disabled={holds && target === ''}
            onClick={() => void remove()}
          >
            Move to trash
          </Button>
        </span>
      </div>
    </Modal>
  )
}
