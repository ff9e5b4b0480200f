import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '#web/api/errors.ts'
import { ErrorState } from '#web/list/states.tsx'
import classes from '#web/record/record.module.css'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'

interface Layout {
  /** Facts and what belongs to them, on the left. */
  children: ReactNode
  /** The timeline, in the middle of the eye; on a phone it comes second. */
  timeline?: ReactNode
  /** What belongs to the record besides, below the facts; on a phone below the timeline. */
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
  /** `ask(contracts.show, …)`. */
  asked: unknown
  /** The page's name while the record is on its way. */
  title: string
  children: (reply: Reply, query: { refetch: () => void }) => ReactNode
}

/** A record once it is there: 404 as the panel's own page, an error with Retry, and nothing for somebody who may not ask (A §5). */
export function RecordPage<Reply>({ asked, title, children }: Props<Reply>) {
  const query = useQuery(asked as Asked<Reply>)
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFoundPage />
  if (query.data !== undefined) return children(query.data, { refetch: () => void query.refetch() })
  return (
    <>
      <PageHeader title={title} />
      {query.error ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : query.isLoading && <p role="status">Loading…</p>}
    </>
  )
}
