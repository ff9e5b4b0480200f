import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '#web/api/errors.ts'
import { ErrorState } from '#web/list/states.tsx'
import classes from '#web/record/record.module.css'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'

interface Layout {
  /** Facts and related content, on the left. */
  children: ReactNode
  /** Timeline, at the centre of attention; on a phone it comes second. */
  timeline?: ReactNode
  /** Further content of the record, below the facts; on a phone below the timeline. */
  more?: ReactNode
}

/** Facts beside the timeline. */
export const RecordLayout = ({ children, timeline, more }: Layout) => (
  <div className={classes.record} data-alone={timeline === undefined || undefined}>
    <div className={classes.main}>{children}</div>
    {timeline !== undefined && <div className={classes.aside}>{timeline}</div>}
    {more !== undefined && <div className={classes.main}>{more}</div>}
  </div>
)

type Asked<Reply> = Parameters<typeof useQuery<Reply>>[0]

interface Props<Reply> {
  /** The query: `queryOptionsFor(contracts.show, …)`. */
  asked: unknown
  /** Name of the page while the record loads. */
  title: string
  children: (reply: Reply, query: { refetch: () => void }) => ReactNode
}

/** A record once it is loaded: 404 as the panel's own page, an error with Retry, and nothing if the viewer lacks permission (A §5). */
export function RecordPage<Reply>({ asked, title, children }: Props<Reply>) {
  const query = useQuery(asked as Asked<Reply>)
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFoundPage />
  if (query.data !== undefined) return children(query.data, { refetch: () => void query.refetch() })
  return (
    <>
      <PageHeader title={title} />
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        query.isLoading && <p role="status">Loading…</p>
      )}
    </>
  )
}
