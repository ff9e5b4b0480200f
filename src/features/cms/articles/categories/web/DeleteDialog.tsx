import { useState } from 'react'
import { Button, Modal } from '@mantine/core'
import { CategoryField } from '#features/cms/articles/categories/web/CategoryField.tsx'
import type { FindCategories } from '#features/cms/articles/categories/web/findCategories.ts'
import classes from '#features/cms/articles/categories/web/categories.module.css'
import type { OperationRef } from '#shared/record.contract.ts'
import { errorMessageOf, isConflict } from '#web/api/errors.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { useDialog } from '#web/parts/useDialog.ts'

interface Props {
  title: string
  find: FindCategories
  remove: (move_to: object) => Promise<{ message: string; operation: OperationRef | null } | undefined>
  sending: boolean
  onClose: () => void
}

/**
 * Dialog for moving a category to the trash. If the category has content, shows the server's counts and asks
 * where to move the content.
 */
export function DeleteDialog({ title, find, remove, sending, onClose }: Props) {
  const dialog = useDialog()
  const [failure, setFailure] = useState<unknown>()
  const [target, setTarget] = useState('')
  const { announceAct } = useUndo()
  const holds = isConflict(failure)

  async function send(): Promise<void> {
    try {
      const reply = await remove(target === '' ? {} : { move_to: Number(target) })
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
            find={find}
            none="Choose a category"
          />
        )}
        <span className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red" loading={sending} disabled={holds && target === ''} onClick={() => void send()}>
            Move to trash
          </Button>
        </span>
      </div>
    </Modal>
  )
}
