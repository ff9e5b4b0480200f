import type { ComponentProps } from 'react'
import type { RecordType } from '#shared/records.ts'
import { PageLink } from '#web/parts/PageLink.tsx'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useViewer } from '#web/session.ts'

interface Props extends Omit<ComponentProps<typeof PageLink>, 'to' | 'type' | 'id'> {
  type: RecordType
  id: number
  /** Shown, unless there are children, and part of the URL. */
  name: string
}

/** Link to a record's page; plain text for viewers who can't open it. */
export function RecordLink({ type, id, name, children = name, ...rest }: Props) {
  const to = recordAddress(type, id, useViewer(), name)
  if (to === undefined) {
    const { className, style, title } = rest
    return <span {...{ className, style, title }}>{children}</span>
  }
  return (
    <PageLink to={to} {...rest}>
      {children}
    </PageLink>
  )
}
