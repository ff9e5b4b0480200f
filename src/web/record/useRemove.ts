import type { RecordType } from '#shared/records.ts'
import { records } from '#shared/record.contract.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { useUndo } from '#web/record/useUndo.ts'

interface Options {
  /** Endpoints to refetch afterward. */
  refresh: readonly { path: string }[]
  onDone?: () => void
}

/** Moves records to the trash, with Undo: `const { mayRemove, remove } = useRemove('contract', { refresh })`. */
export function useRemove(
  type: RecordType,
  { refresh, onDone }: Options,
): { mayRemove: boolean; remove: (ids: readonly number[]) => void; removing: boolean } {
  const { announceAct } = useUndo(refresh)
  const { send, sending } = useSend(records.remove, {
    refresh: [...refresh, records.trash],
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
