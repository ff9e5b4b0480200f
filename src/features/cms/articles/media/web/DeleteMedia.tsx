import { Button } from '@mantine/core'
import { media } from '#features/cms/articles/media/contract.ts'
import { useSend } from '#web/api/useSend.ts'
import { askToProceed } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'

/** Button that deletes the selected images after a confirmation that lists their names. */
export function DeleteMedia({ names, onDone }: { names: ReadonlyMap<number, string>; onDone: () => void }) {
  const { send, sending } = useSend(media.remove, {
    onDone: ({ message }) => {
      toast.success(message)
      onDone()
    },
  })
  const remove = async () => {
    if (
      await askToProceed(questionOf([...names.values()]), { detail: 'This can’t be undone.', isRisky: true })
    )
      await send({ body: { ids: [...names.keys()] } })
  }
  return (
    <Button size="xs" color="red" variant="default" loading={sending} onClick={() => void remove()}>
      Delete {names.size}
    </Button>
  )
}

const mostNamed = 5

/** Returns the confirmation question. Images are deleted permanently, without being moved to the trash. */
function questionOf(names: readonly string[]): string {
  const named = names.slice(0, mostNamed).join(', ')
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ''
  return `Delete ${named}${more}?`
}
