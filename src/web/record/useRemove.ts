import type { RecordType } from '#shared/records.ts'
import { records } from '#shared/record.contract.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { useUndo } from '#web/record/useUndo.ts'

interface Options {
  onDone?: () => void
}

/** Moves records to the trash, with Undo: `const { mayRemove, remove } = useRemove('contract')`. */
export function useRemove(
  type: RecordType,
  { onDone }: Options = {},
): { mayRemove: boolean; remove: (ids: readonly number[]) => void; removing: boolean } {
  const { announceAct } = useUndo()
  const { send, sending } = useSend(records.remove, {
    onDone: ({ message, operation }) => {
      announceAct(message, operation)
      onDone?.()
    },
  })
  const mayRemove = useMay(records.remove, { params: { type }, body: { ids: [1] } })
  return {
    mayRemove,
    remove: (ids) => void send({ params: { type }, body: { ids: [...ids] } }),
    removing: sending,
  }
}
