import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { dayText } from '#shared/dates.ts'
import { terms, type Terms } from '#features/admin/terms/contract.ts'
import { differences } from '#features/admin/terms/rules.ts'
import { TermsState } from '#features/admin/terms/web/TermsState.tsx'
import classes from '#features/admin/terms/web/terms.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { ErrorState } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'
import { RecordPage } from '#web/record/RecordPage.tsx'
import { RichText } from '#web/richtext/RichText.tsx'
import { Select } from '#web/parts/controls.tsx'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'

/** Page that shows a version of the terms, or its differences from another. */
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
          {other === undefined ? (
            <RichText html={shown.value} />
          ) : (
            <Differences shown={shown} other={other} />
          )}
        </article>
      </div>
    </>
  )
}

function Differences({ shown, other }: { shown: Terms; other: number }) {
  const { data, error, refetch } = useQuery(queryOptionsFor(terms.show, { params: { id: other } }))
  const before = data?.data.value
  const pieces = useMemo(() => {
    if (before === undefined) return []
    // Always compare the older version with the newer one, regardless of which is shown.
    const [old, now] = other < shown.id ? [before, shown.value] : [shown.value, before]
    return differences(textOf(old), textOf(now))
  }, [before, other, shown])
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <p role="status">Loading…</p>
  const [old, now] = [Math.min(other, shown.id), Math.max(other, shown.id)]
  return (
    <>
      <p className={classes.facts}>
        Comparing version {old} with version {now}:{' '}
        {pieces.every(({ kind }) => kind === 'same')
          ? 'no differences.'
          : 'removed text is struck through, and added text is underlined.'}
      </p>
      <p className={classes.differences}>
        {pieces.map(({ kind, text }, index) => {
          const Part = kind === 'added' ? 'ins' : kind === 'removed' ? 'del' : 'span'
          return <Part key={index}>{text}</Part>
        })}
      </p>
    </>
  )
}

const blocks = 'p, h1, h2, h3, h4, h5, h6, li, tr, blockquote, pre, hr'

/**
 * Returns the text content of HTML, one line per block. Parses it in a separate document, so that no scripts
 * run and nothing is fetched.
 */
function textOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const block of body.querySelectorAll(blocks)) block.append('\n')
  for (const line of body.querySelectorAll('br')) line.replaceWith('\n')
  return (body.textContent ?? '').trim()
}
