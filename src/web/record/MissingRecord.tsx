import { Suspense } from 'react'
import type { RecordType } from '#shared/records.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { NotFoundState } from '#web/states/NotFoundState.tsx'

const TrashedNotice = lazyPart(() => import('#web/record/TrashedNotice.tsx'))

interface Props {
  type: RecordType
  id: number
}

/**
 * The panel's Not Found page for a record (A §5). If it is in the trash or was merged, it says who did that and when,
 * to those who can restore it.
 */
export const MissingRecord = (record: Props) => (
  <>
    <PageHeader title="Not Found - 404" />
    <Suspense>
      <TrashedNotice {...record} />
    </Suspense>
    <NotFoundState />
  </>
)
