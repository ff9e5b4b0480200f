import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { reminders, type Reminder } from '#features/crm/leads/follow-ups/reminders.contract.ts'
import classes from '#features/panel/dashboard/web/dashboard.module.css'
import { ask } from '#web/api/client.ts'
import { patchAnswers, useSend } from '#web/api/useSend.ts'
import { Pager } from '#web/list/Pager.tsx'
import { Loaded } from '#web/list/states.tsx'
import { useChanged } from '#web/live.ts'
import { useMyProducts } from '#web/session.ts'
import { toast } from '#web/shell/toast.ts'
import { slugOf } from '#web/slug.ts'
import { dayText } from '#web/time.ts'

const atFirst = 6

/** What is due for the person himself, in all his products; done here, or by itself when the lead moves on. */
export function MyReminders() {
  const [all, setAll] = useState(false)
  const [page, setPage] = useState(1)
  const query = useQuery({ ...ask(reminders.list, { query: { page } }), placeholderData: keepPreviousData })
  useChanged('leads', [reminders.list])
  return (
    <section className={classes.card} aria-labelledby="my-reminders">
      <Loaded query={query} skeleton={<Title />}>
        {({ data, total, per_page }) => (
          <>
            <Title total={total} />
            {data.length === 0 ? (
              <p className={classes.none}>Nothing waits for you.</p>
            ) : (
              <ul className={classes.list}>
                {(all ? data : data.slice(0, atFirst)).map((reminder) => (
                  <OneReminder key={reminder.id} reminder={reminder} />
                ))}
              </ul>
            )}
            {!all && total > atFirst && (
              <button type="button" className={classes.seeAll} aria-label="See all: My reminders" onClick={() => setAll(true)}>
                See all
              </button>
            )}
            {all && total > per_page && <Pager total={total} perPage={per_page} page={page} onPage={setPage} />}
          </>
        )}
      </Loaded>
    </section>
  )
}

function Title({ total }: { total?: number }) {
  return (
    <h2 id="my-reminders" className={classes.cardTitle}>
      <Link to="/demo-leads/follow-ups" className={classes.titleLink}>
        My reminders
      </Link>
      {total !== undefined && <span className={classes.total}>{total.toLocaleString('en-US')}</span>}
    </h2>
  )
}

function OneReminder({ reminder: { id, lead_id, companyName, contactName, lead_for, due_on } }: { reminder: Reminder }) {
  const product = useMyProducts().find((one) => one.id === lead_for)?.name
  const { mark } = useMark()
  return (
    <li className={classes.reminder}>
      <Link to={`/demo-leads/${slugOf(companyName)}/${lead_id}`} className={classes.item}>
        <span className={classes.itemName}>{companyName}</span>
        <span className={classes.itemDetail}>{[contactName, product].filter(Boolean).join(' · ')}</span>
        <time className={classes.itemDay} dateTime={due_on}>
          {dayText(due_on)}
        </time>
      </Link>
      <button type="button" className={classes.done} aria-label={`Done: ${companyName}`} onClick={() => mark(id, companyName)}>
        Done
      </button>
    </li>
  )
}

/** Marks a reminder as done, at once and with the way back. */
function useMark() {
  const { send } = useSend(reminders.mark, {
    refresh: [reminders.list],
    showAtOnce: ({ params, body }, queries) =>
      patchAnswers(queries, reminders.list, (reply) => {
        const data = body.done ? reply.data.filter(({ id }) => id !== params.id) : reply.data
        return { ...reply, data, total: reply.total - (reply.data.length - data.length) }
      }),
  })
  const reopen = (id: number) => void send({ params: { id }, body: { done: false } })
  const mark = (id: number, name: string) =>
    void send({ params: { id }, body: { done: true } }).then(
      (reply) => reply && toast.success(`${name} is done.`, { undo: { label: 'Undo', onUndo: () => reopen(id) } }),
    )
  return { mark }
}
