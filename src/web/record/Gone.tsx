import { Suspense } from 'react'
import { recordTypes, type RecordType } from '#shared/records.ts'
import { isNotFound } from '#web/api/errors.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const TrashedNotice = lazyPart(() => import('#web/record/TrashedNotice.tsx'))

interface Props {
  type: RecordType
  id: number
  /** Why the record on screen couldn't be loaded again; null if it is up to date. */
  error: Error | null
}

/** Says that the record on screen is gone since it was opened; its page stays with what the user wrote on it. */
export const Gone = ({ error, ...record }: Props) =>
  isNotFound(error) && (
    <Suspense>
      <TrashedNotice
        {...record}
        unknown={`This ${recordTypes[record.type].one} was moved to the trash, or you no longer have access to it.`}
      />
    </Suspense>
  )
