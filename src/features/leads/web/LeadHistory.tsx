import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { leads, type LeadEvent, type LeadOptions } from '#features/leads/contract.ts'
import { demoStates, leadTypes } from '#features/leads/rules.ts'
import { fieldNames } from '#features/leads/web/fieldNames.ts'
import { named, useLeadOptions } from '#features/leads/web/LeadOptions.tsx'
import classes from '#features/leads/web/leads.module.css'
import { keyOf, request } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { ErrorState } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'
import { dayText } from '#web/time.ts'

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

const sentences: Record<string, string> = {
  'POST /admin/users/save-demo-requests': 'Entered',
  'POST /admin/users/update-demo-requests': 'Edited',
  'GET /admin/users/change-demorequest-status': 'Status changed',
  'GET /admin/users/change-lead-status': 'Status changed',
  'GET /admin/users/change-demorequest-color': 'Priority changed',
  'GET /admin/users/change-followup-date': 'Follow-up date changed',
  'POST /admin/general/notes/{a}/{b}': 'Note written',
  'POST /admin/users/lead-imports/{id}/run': 'Imported from a file',
}
const sentence = ({ endpoint }: LeadEvent) => sentences[endpoint] ?? endpoint

function Changes({ event, options }: { event: LeadEvent; options: LeadOptions }) {
  const changes = event.changes.filter(({ before }) => before !== null)
  if (changes.length === 0) return null
  return (
    <ul className={classes.changes}>
      {changes.map(({ field, before, after }) => (
        <li key={field}>
          <span className={classes.fieldName}>{fieldNames[field] ?? field}</span> <del>{words(field, before, options)}</del> <span aria-hidden>→</span>{' '}
          <ins>{words(field, after, options)}</ins>
        </li>
      ))}
    </ul>
  )
}

/** A stored value as people say it. */
function words(field: string, value: unknown, options: LeadOptions): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (field.endsWith('_date') && typeof value === 'string') return dayText(value)
  const names: Record<string, (id: number) => string> = {
    status: (id) => named(options.statuses, id).name,
    color: (id) => named(options.colors, id).name,
    assign_to: (id) => named(options.staff, id).name,
    lead_for: (id) => named(options.products, id).name,
    lead_type: (id) => leadTypes[id as 1],
    demo_status: (id) => demoStates[id as 0],
    tag_ids: (id) => named(options.tags, id).name,
  }
  const name = names[field]
  const list = Array.isArray(value) ? value : [value]
  return list.length === 0 ? 'nothing' : list.map((one) => (name ? name(Number(one)) : typeof one === 'string' ? one : JSON.stringify(one))).join(', ')
}
