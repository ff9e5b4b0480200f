import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import { dayText } from '#shared/dates.ts'
import { terms, type Terms } from '#features/admin/terms/contract.ts'
import { Differences } from '#features/admin/terms/web/Differences.tsx'
import { TermsState } from '#features/admin/terms/web/TermsState.tsx'
import classes from '#features/admin/terms/web/terms.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { copyText } from '#web/copyText.ts'
import { PaneHead } from '#web/list/inbox/PaneHead.tsx'
import { ErrorState, LoadingState } from '#web/list/states.tsx'
import { fullTime } from '#web/time.ts'
import { IconButton, Select } from '#web/parts/controls.tsx'
import { RichText } from '#web/richtext/RichText.tsx'

/** A version of the terms, or its differences from another one that the user chooses. */
export function TermsText({ shown }: { shown: Terms }) {
  const [other, setOther] = useState<number>()
  const { data } = useQuery(queryOptionsFor(terms.list, { query: {} }))
  // Version numbers have no gaps.
  const newest = data?.total ?? shown.id
  const others = useMemo(
    () => Array.from({ length: newest }, (_, index) => newest - index).filter((id) => id !== shown.id),
    [newest, shown.id],
  )
  return (
    <>
      <PaneHead
        title={`Version ${shown.id}`}
        about={`Effective ${dayText(shown.effective_on)} · Published by ${shown.who}, ${fullTime(shown.created_at)}`}
      >
        <TermsState state={shown.state} />
        {others.length > 0 && (
          <Select
            label="Compare with"
            value={String(other ?? '')}
            options={[['', 'Compare with…'], ...others.map((id) => [String(id), `Version ${id}`] as const)]}
            onChoose={(id) => setOther(id === '' ? undefined : Number(id))}
          />
        )}
        <IconButton
          label="Copy link to this version"
          onClick={() => void copyText(`${location.origin}/term&conditions/${shown.id}`, 'Link copied.')}
        >
          <IconCopy size={15} aria-hidden />
        </IconButton>
      </PaneHead>
      <div className={classes.scroll} tabIndex={0} role="region" aria-label={`Text of version ${shown.id}`}>
        <article className={classes.legal}>
          {other === undefined ? <RichText html={shown.value} /> : <Compared shown={shown} other={other} />}
        </article>
      </div>
    </>
  )
}

function Compared({ shown, other }: { shown: Terms; other: number }) {
  const { data, error, refetch } = useQuery(queryOptionsFor(terms.show, { params: { id: other } }))
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <LoadingState />
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
