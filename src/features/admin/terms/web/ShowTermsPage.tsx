import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { dayText } from '#shared/dates.ts'
import { terms, type Terms } from '#features/admin/terms/contract.ts'
import { Differences } from '#features/admin/terms/web/Differences.tsx'
import { TermsState } from '#features/admin/terms/web/TermsState.tsx'
import classes from '#features/admin/terms/web/terms.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { ErrorState } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'
import { RecordSteps } from '#web/record/RecordSteps.tsx'
import { RecordPage } from '#web/record/RecordPage.tsx'
import { RichText } from '#web/richtext/RichText.tsx'
import { Select } from '#web/parts/controls.tsx'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'

/** Page that shows a version of the terms, or its differences from another version. */
export function ShowTermsPage() {
  const { term = '' } = useParams({ strict: false }) as { term?: string }
  const id = /^[1-9]\d{0,8}$/.test(term) ? Number(term) : undefined
  if (id === undefined) return <NotFoundPage />
  return (
    <RecordPage<{ data: Terms }> asked={queryOptionsFor(terms.show, { params: { id } })} title="Terms">
      {({ data }) => <ShowTerms key={data.id} shown={data} />}
    </RecordPage>
  )
}

function ShowTerms({ shown }: { shown: Terms }) {
  const [other, setOther] = useState<number>()
  const { data } = useQuery(queryOptionsFor(terms.list, { query: {} }))
  // Version numbers have no gaps.
  const newest = data?.total ?? shown.id
  const others = Array.from({ length: newest }, (_, index) => newest - index).filter((id) => id !== shown.id)
  return (
    <>
      <PageHeader title={`Version ${shown.id}`} parents={[['/term&conditions', 'Terms & conditions']]}>
        <RecordSteps />
        {others.length > 0 && (
          <Select
            label="Compare with"
            value={String(other ?? '')}
            options={[['', 'Compare with…'], ...others.map((id) => [String(id), `Version ${id}`] as const)]}
            onChoose={(id) => setOther(id === '' ? undefined : Number(id))}
          />
        )}
      </PageHeader>
      <div className={classes.main}>
        <p className={classes.facts}>
          <TermsState state={shown.state} />
          <span>Effective {dayText(shown.effective_on)}</span>
          <span>
            Published by {shown.who}, <Moment at={shown.created_at} />
          </span>
        </p>
        <article className={classes.sheet}>
          {other === undefined ? <RichText html={shown.value} /> : <Compared shown={shown} other={other} />}
        </article>
      </div>
    </>
  )
}

function Compared({ shown, other }: { shown: Terms; other: number }) {
  const { data, error, refetch } = useQuery(queryOptionsFor(terms.show, { params: { id: other } }))
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <p role="status">Loading…</p>
  // Always compare the older version with the newer one, regardless of which is shown.
  const [old, now] = other < shown.id ? [data.data, shown] : [shown, data.data]
  return (
    <Differences
      title={`Comparing version ${old.id} with version ${now.id}`}
      before={old.value}
      after={now.value}
    />
  )
}
