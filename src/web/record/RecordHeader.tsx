import type { ComponentProps } from 'react'
import type { RecordType } from '#shared/records.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { Presence } from '#web/record/Presence.tsx'
import { RecordSteps } from '#web/record/RecordSteps.tsx'

interface Props extends ComponentProps<typeof PageHeader>, ComponentProps<typeof RecordSteps> {
  type: RecordType
  id: number
}

/** Heading of a record's page: previous and next, who else is viewing the record, and the page's actions. */
export const RecordHeader = ({ type, id, prefetch, children, ...header }: Props) => (
  <PageHeader {...header}>
    <RecordSteps prefetch={prefetch} />
    <Presence type={type} id={id} />
    {children}
  </PageHeader>
)
