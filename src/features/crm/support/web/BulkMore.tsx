import { Suspense, useState } from 'react'
import type { Reply } from '#shared/endpoint.ts'
import { desk } from '#features/crm/support/desk.contract.ts'
import { mostAnswered } from '#features/crm/support/incidents.contract.ts'
import { ticketsText } from '#features/crm/support/web/answers/answerWords.ts'
import { daysToMonday, morningIn } from '#features/crm/support/web/snoozeTimes.ts'
import type { BulkProps, useTicketBulk } from '#features/crm/support/web/useTicketBulk.ts'
import { useSend } from '#web/api/useSend.ts'
import { BulkMenu } from '#web/list/BulkMenu.tsx'
import { askToProceed } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'
import { MenuItem, MenuLine } from '#web/parts/Menu.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const NoteOnSelected = lazyPart(() => import('#features/crm/support/web/NoteOnSelected.tsx'))
const SnoozeUntilForm = lazyPart(
  () => import('#features/crm/support/web/SnoozeTicket.tsx'),
  'SnoozeUntilForm',
)

type Props = Pick<BulkProps, 'chosen' | 'onChanged'> & ReturnType<typeof useTicketBulk>

/** Rarer changes of the selected tickets: an internal note, a snooze, and whether they are spam. */
export function BulkMore({ chosen, onChanged, change, sending }: Props) {
  const [opened, setOpened] = useState<'note' | 'snooze'>()
  const snooze = useSnoozeMany({ chosen, onChanged })
  const ids = 'ids' in chosen ? chosen.ids : []
  const count = 'ids' in chosen ? ids.length : chosen.total
  const canNote = ids.length > 0 && ids.length <= mostAnswered
  const close = () => setOpened(undefined)
  const until = (moment: string | null) => void snooze(moment, 'toast')
  return (
    <>
      <BulkMenu label="More" disabled={sending}>
        <MenuItem
          disabled={!canNote}
          title={canNote ? undefined : `Select up to ${mostAnswered} tickets to add a note to them.`}
          onClick={() => setOpened('note')}
        >
          Add internal note…
        </MenuItem>
        <MenuLine />
        <MenuItem onClick={() => until(morningIn(1))}>Snooze until tomorrow</MenuItem>
        <MenuItem onClick={() => until(morningIn(daysToMonday()))}>Snooze until Monday</MenuItem>
        <MenuItem onClick={() => setOpened('snooze')}>Snooze until a date…</MenuItem>
        <MenuItem onClick={() => until(null)}>Snooze until the customer writes</MenuItem>
        <MenuLine />
        <MenuItem onClick={() => void change({ kind: 'spam', spam: true }, 'Mark as spam')}>
          Mark as spam
        </MenuItem>
        <MenuItem onClick={() => void change({ kind: 'spam', spam: false }, 'Not spam')}>Not spam</MenuItem>
      </BulkMenu>
      <Suspense>
        {opened === 'note' && canNote && <NoteOnSelected ids={ids} onClose={close} onDone={onChanged} />}
        {opened === 'snooze' && (
          <SnoozeUntilForm
            draft="snooze-selected"
            title={`Snooze ${ticketsText(count)}`}
            snooze={(moment: string) => snooze(moment, 'throw')}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  )
}

/** Returns a function that snoozes the selection until an instant or, for null, until the customers write. */
function useSnoozeMany({ chosen, onChanged }: Pick<BulkProps, 'chosen' | 'onChanged'>) {
  const { send: unsnooze } = useSend(desk.unsnoozeMany, {
    onDone: ({ message }) => toast.success(message),
  })
  const done = ({ message, data, earlier }: Reply<typeof desk.snoozeMany>) => {
    const onUndo = () => void unsnooze({ body: { ids: data, earlier } })
    toast.success(message, { undo: { label: 'Undo', onUndo } })
    onChanged()
  }
  const { send } = useSend(desk.snoozeMany, { onDone: done })
  const { send: sendOrThrow } = useSend(desk.snoozeMany, { onDone: done, failure: 'throw' })
  return async (until: string | null, failure: 'throw' | 'toast') => {
    const isAll = !('ids' in chosen)
    const question = `Snooze all ${isAll ? chosen.total.toLocaleString() : ''} tickets that match your filters?`
    if (isAll && !(await askToProceed(question))) return
    const selection = isAll ? chosen : { ids: [...chosen.ids] }
    await (failure === 'throw' ? sendOrThrow : send)({ body: { selection, until } })
  }
}
