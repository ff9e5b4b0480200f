import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { leads, type LeadOptions } from '#features/crm/leads/contract.ts'
import { useLeadOptions } from '#features/crm/leads/cells/web/LeadOptions.tsx'
import { fieldNames, words } from '#features/crm/leads/record/web/leadWords.ts'
import { isNothing } from '#web/record/fields.ts'
import classes from '#features/crm/leads/list/web/leads.module.css'
import type { RecordEvent } from '#shared/record.contract.ts'
import { keyOf, request } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { ErrorState } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'

const perLoad = 50

/** Who changed what of a lead and when, newest first. */
export function LeadHistory({ id }: { id: number }) {
  const options = useLeadOptions()
  const mayRead = useMay(leads.history, { query: { id } })
  const query = useInfiniteQuery({
    queryKey: [...keyOf(leads.history), id],
    queryFn: ({ pageParam, signal }) => request(leads.history, { query: { id, ...(pageParam ? { before: pageParam } : {}) } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ data }) => (data.length === perLoad ? data.at(-1)?.id : undefined),
    enabled: mayRead,
  })
  const events = query.data?.pages.flatMap(({ data }) => data)
  return (
    <section className={classes.panel} aria-label="History">
      <h2>History</h2>
      {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {events?.length === 0 && <p className={classes.nothing}>Nothing has happened yet.</p>}
      <ol className={classes.history}>
        {events?.map((event) => (
          <li key={event.id}>
            <p>{sentence(event)}</p>
            <Changes event={event} options={options} />
            <p className={classes.byline}>
              {event.who} · <Moment at={event.at} />
            </p>
          </li>
        ))}
      </ol>
      {query.hasNextPage && (
        <Button variant="default" size="xs" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Older changes
        </Button>
      )}
    </section>
  )
}

/** Acts of before they had words are named by their address. */
const sentence = ({ act, endpoint }: RecordEvent) => act || endpoint

/** Of the event that entered the lead everything is new; it stands on the page already. */
const entered = ({ changes }: RecordEvent) => changes.some(({ field, before }) => field === 'companyName' && before === null)

/** A note stands among the notes, and the number of a session says nothing to people. */
const told = ({ field }: RecordEvent['changes'][number]) => field !== 'note' && field !== 'session'

function Changes({ event, options }: { event: RecordEvent; options: LeadOptions }) {
  const changes = entered(event) ? [] : event.changes.filter(told)
  if (changes.length === 0) return null
  return (
    <ul className={classes.changes}>
      {changes.map(({ field, before, after }) => (
        <li key={field}>
          <span className={classes.fieldName}>{fieldNames[field] ?? field}</span>{' '}
          {!isNothing(before) && (
            <>
              <del>{words(field, before, options)}</del> <span aria-hidden>→</span>{' '}
            </>
          )}
          <ins>{words(field, after, options)}</ins>
        </li>
      ))}
    </ul>
  )
}
