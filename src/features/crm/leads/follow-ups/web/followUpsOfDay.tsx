import IconCalendarEvent from '@tabler/icons-react/dist/esm/icons/IconCalendarEvent.mjs'
import { reminders, type Reminder } from '#features/crm/leads/follow-ups/reminders.contract.ts'
import { useSnooze } from '#features/crm/leads/follow-ups/web/useSnooze.ts'
import { patchCachedReplies, useSend } from '#web/api/useSend.ts'
import { DayDone, DaySnooze } from '#web/dashboard/DayActions.tsx'
import { daySource } from '#web/dashboard/daySource.ts'
import { toast } from '#web/message/toast.ts'
import { recordAddress } from '#web/record/recordAddress.ts'

/** The viewer's due follow-ups in all their products. They are closed when the lead changes. */
export const followUpsOfDay = daySource({
  name: 'Follow-ups',
  icon: IconCalendarEvent,
  endpoint: reminders.list,
  input: () => [{ query: {} }],
  all: () => '/demo-leads/follow-ups',
  read: ({ data, total }, { viewer, products }) => ({
    total,
    items: data.map((reminder) => {
      const { id, lead_id, companyName, contactName, lead_for, due_on } = reminder
      const product = products.length > 1 ? products.find((one) => one.id === lead_for)?.name : undefined
      return {
        key: `follow-up ${id}`,
        title: companyName,
        detail: ['Follow-up', contactName, product].filter(Boolean).join(' · '),
        when: { day: due_on },
        to: recordAddress('lead', lead_id, viewer, companyName),
        actions: <Actions reminder={reminder} />,
      }
    }),
  }),
})

function Actions({ reminder }: { reminder: Reminder }) {
  const { id, companyName, due_on } = reminder
  const mark = useMark()
  const { snooze, maySnooze } = useSnooze()
  return (
    <>
      <DayDone name={companyName} onDone={() => mark(id, companyName)} />
      {maySnooze && (
        <DaySnooze name={companyName} day={due_on} onSnooze={(day) => void snooze(reminder, day)} />
      )}
    </>
  )
}

/** Returns a function that marks a reminder as done, optimistically and with an undo option. */
function useMark() {
  const { send } = useSend(reminders.mark, {
    optimisticUpdate: ({ params, body }, queries) =>
      patchCachedReplies(queries, reminders.list, (reply) => {
        const data = body.done ? reply.data.filter(({ id }) => id !== params.id) : reply.data
        return { ...reply, data, total: reply.total - (reply.data.length - data.length) }
      }),
  })
  const reopen = (id: number) => void send({ params: { id }, body: { done: false } })
  return (id: number, name: string) =>
    void send({ params: { id }, body: { done: true } }).then(
      (reply) =>
        reply &&
        toast.success(`Reminder for ${name} marked as done.`, {
          undo: { label: 'Undo', onUndo: () => reopen(id) },
        }),
    )
}
