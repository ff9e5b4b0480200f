import { useEffect, type ComponentProps } from 'react'
import { recordTypes, type RecordType } from '#shared/records.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { Presence } from '#web/record/Presence.tsx'
import { rememberRecord, useOpenAddress } from '#web/palette/recentRecords.ts'
import { RecordSteps } from '#web/record/RecordSteps.tsx'

interface Props extends ComponentProps<typeof PageHeader>, ComponentProps<typeof RecordSteps> {
  type: RecordType
  id: number
}

/** Heading of a record's page: previous and next, who else is viewing the record, and the page's actions. */
export function RecordHeader({ type, id, prefetch, children, ...header }: Props) {
  const { number, title = '' } = header
  const to = useOpenAddress()
  useEffect(() => {
    const label = number === undefined ? title : `#${number} ${title}`
    rememberRecord({ id: `recent-${type}-${id}`, label, detail: recordTypes[type].one, to })
  }, [type, id, number, title, to])
  return (
    <PageHeader {...header}>
      <RecordSteps prefetch={prefetch} />
      <Presence type={type} id={id} />
      {children}
    </PageHeader>
  )
}
