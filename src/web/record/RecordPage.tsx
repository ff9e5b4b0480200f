import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { RecordType } from '#shared/records.ts'
import { isNotFound } from '#web/api/errors.ts'
import classes from '#web/record/record.module.css'
import { Gone } from '#web/record/Gone.tsx'
import { RecordPlaceholder } from '#web/record/RecordPlaceholder.tsx'
import { RecordSteps } from '#web/record/RecordSteps.tsx'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'

interface Layout {
  /** Facts and related content, shown on the left. */
  children: ReactNode
  /** Timeline, shown next to the facts or, on a phone, below them. */
  timeline?: ReactNode
  /** Additional content, below the facts or, on a phone, below the timeline. */
  more?: ReactNode
}

/** Lays out facts next to the timeline. */
export const RecordLayout = ({ children, timeline, more }: Layout) => (
  <div className={classes.record} data-alone={timeline === undefined || undefined}>
    <div className={classes.main}>{children}</div>
    {timeline !== undefined && <div className={classes.aside}>{timeline}</div>}
    {more !== undefined && <div className={classes.main}>{more}</div>}
  </div>
)

type Asked<Reply> = Parameters<typeof useQuery<Reply>>[0]

interface Props<Reply> {
  /** The query options, such as `queryOptionsFor(contracts.show, …)`. */
  asked: unknown
  /** Name of the page, shown while the record loads. */
  title: string
  /** Names the record, so that it stays on screen if someone moves it to the trash while it is open. */
  kept?: (reply: Reply) => { type: RecordType; id: number }
  children: (reply: Reply, query: { refetch: () => void }) => ReactNode
}

/**
 * Renders a record once it is loaded: the panel's Not Found page for a 404, other errors with a Retry button,
 * and that the viewer has no access, without a request, if they lack permission (A §5).
 */
export function RecordPage<Reply>({ asked, title, kept, children }: Props<Reply>) {
  const query = useQuery(asked as Asked<Reply>)
  const record = query.data === undefined ? undefined : kept?.(query.data)
  if (isNotFound(query.error) && !record) return <NotFoundPage />
  if (query.data !== undefined)
    return (
      <>
        {record && <Gone {...record} error={query.error} />}
        {children(query.data, { refetch: () => void query.refetch() })}
      </>
    )
  return (
    <>
      <PageHeader title={title}>
        {/* Steps through the list also work while the record loads, or if it doesn’t. */}
        <RecordSteps />
      </PageHeader>
      <RecordPlaceholder query={query} what={title} />
    </>
  )
}
