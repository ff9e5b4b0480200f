import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { dayText } from '#shared/dates.ts'
import { reminders, type Reminder } from '#features/crm/leads/follow-ups/reminders.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { patchCachedReplies, useMay, useSend } from '#web/api/useSend.ts'
import {
  CardItem,
  CardList,
  DashboardCard,
  DoneButton,
  firstOfCard,
  NothingHere,
  SeeAllButton,
} from '#web/dashboard/DashboardCard.tsx'
import { Pager } from '#web/list/Pager.tsx'
import { Loaded } from '#web/list/states.tsx'
import { useChanged } from '#web/live.ts'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useMyProducts, useViewer } from '#web/session.ts'
import { toast } from '#web/message/toast.ts'

/**
 * Dashboard card with the viewer's due follow-ups in all their products. They can be marked as done here, and
 * are closed when the lead changes.
 */
export function MyReminders() {
  return useMay(reminders.list, { query: {} }) ? <Reminders /> : null
}

function Reminders() {
  const [all, setAll] = useState(false)
  const [page, setPage] = useState(1)
  const query = useQuery({
    ...queryOptionsFor(reminders.list, { query: { page } }),
    placeholderData: keepPreviousData,
  })
  useChanged('leads', [reminders.list])
  return (
    <DashboardCard
      id="my-reminders"
      title="My reminders"
      total={query.data?.total}
      to="/demo-leads/follow-ups"
    >
      <Loaded query={query} skeleton={null}>
        {({ data, total, per_page }) => (
          <>
            {data.length === 0 ? (
              <NothingHere>No reminders due.</NothingHere>
            ) : (
              <CardList>
                {(all ? data : data.slice(0, firstOfCard)).map((reminder) => (
                  <OneReminder key={reminder.id} reminder={reminder} />
                ))}
              </CardList>
            )}
            {!all && total > firstOfCard && (
              <SeeAllButton title="My reminders" onClick={() => setAll(true)} />
            )}
            {all && total > per_page && (
              <Pager total={total} perPage={per_page} page={page} onPage={setPage} />
            )}
          </>
        )}
      </Loaded>
    </DashboardCard>
  )
}

function OneReminder({
  reminder: { id, lead_id, companyName, contactName, lead_for, due_on },
}: {
  reminder: Reminder
}) {
  const product = useMyProducts().find((one) => one.id === lead_for)?.name
  const { mark } = useMark()
  const viewer = useViewer()
  return (
    <CardItem
      name={companyName}
      detail={[contactName, product].filter(Boolean).join(' · ')}
      at={<time dateTime={due_on}>{dayText(due_on)}</time>}
      to={recordAddress('lead', lead_id, viewer, companyName)}
    >
      <DoneButton name={companyName} onDone={() => mark(id, companyName)} />
    </CardItem>
  )
}

/** Returns a function that marks a reminder as done, optimistically and with an undo option. */
function useMark() {
  const { send } = useSend(reminders.mark, {
    refresh: [reminders.list],
    optimisticUpdate: ({ params, body }, queries) =>
      patchCachedReplies(queries, reminders.list, (reply) => {
        const data = body.done ? reply.data.filter(({ id }) => id !== params.id) : reply.data
        return { ...reply, data, total: reply.total - (reply.data.length - data.length) }
      }),
  })
  const reopen = (id: number) => void send({ params: { id }, body: { done: false } })
  const mark = (id: number, name: string) =>
    void send({ params: { id }, body: { done: true } }).then(
      (reply) =>
        reply &&
        toast.success(`Reminder for ${name} marked as done.`, {
          undo: { label: 'Undo', onUndo: () => reopen(id) },
        }),
    )
  return { mark }
}
