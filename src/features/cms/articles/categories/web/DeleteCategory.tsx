import { useState } from 'react'
import { Button, Modal, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { categories, type CategoryRow } from '#features/cms/articles/categories/contract.ts'
import classes from '#features/cms/articles/shared/web/articles.module.css'
import { ask } from '#web/api/client.ts'
import { ApiError, wordsOf } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { useFocusBack } from '#web/shell/useFocusBack.ts'

/** Deletes a category; where it holds something, the server says what, and one says where it goes. */
export default function DeleteCategory({ category, onClose }: { category: CategoryRow; onClose: () => void }) {
  useFocusBack()
  const [failure, setFailure] = useState<unknown>()
  const [target, setTarget] = useState('')
  const { data } = useQuery(ask(categories.search, { query: { q: '', admin: '1', product_id: category.product_id, current: category.id } }))
  const { sayDone } = useUndo([categories.list])
  const { send, sending } = useSend(categories.remove, { refresh: [categories.list, categories.search], failure: 'throw' })
  const holds = failure instanceof ApiError && failure.status === 409

  async function remove(): Promise<void> {
    try {
      const query = { product_id: category.product_id, ...(target === '' ? {} : { move_to: Number(target) }) }
      const reply = await send({ params: { id: category.slug }, query })
      if (reply) sayDone(reply.message, reply.operation)
      onClose()
    } catch (error) {
      setFailure(error)
    }
  }

  return (
    <Modal opened onClose={onClose} title={`Delete ${category.title}?`}>
      <div className={classes.main}>
        {failure === undefined ? <p>It goes to the trash and can come back.</p> : <p role="alert">{wordsOf(failure)}</p>}
        {holds && (
          <NativeSelect
            label="Move them to"
            value={target}
            onChange={(event) => setTarget(event.currentTarget.value)}
            data={[{ value: '', label: 'Choose a category' }, ...(data?.data ?? []).map(({ id, title }) => ({ value: String(id), label: title }))]}
          />
        )}
        <span className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red" loading={sending} disabled={holds && target === ''} onClick={() => void remove()}>
            {holds ? 'Move and delete' : 'Delete'}
          </Button>
        </span>
      </div>
    </Modal>
  )
}
