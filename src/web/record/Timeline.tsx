import { Suspense, type ReactNode } from 'react'
import type { RecordType } from '#shared/records.ts'
import { LoadingState } from '#web/list/states.tsx'
import type { ComposerTab } from '#web/composer/Composer.tsx'
import type { EmailOptions } from '#web/mail/emailOptions.ts'
import { Panel } from '#web/parts/Panel.tsx'
import type { RecordFields } from '#web/record/fieldWords.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const TimelinePanel = lazyPart(() => import('#web/record/TimelinePanel.tsx'), 'TimelinePanel')

/** Something in a record's timeline that is neither a note nor a change. */
export interface TimelineEntry {
  id: string
  kind: 'Calls' | 'Emails' | 'Sessions'
  at: string
  who?: string
  icon: ReactNode
  /** Buttons, shown before the time. */
  state?: ReactNode
  content: ReactNode
}

export interface TimelineProps {
  type: RecordType
  id: number
  fields: RecordFields
  /** Events added by the area, such as emails. */
  more?: readonly TimelineEntry[]
  /** Fields of the changes that `more` shows, such as `call_id`. */
  shownByMore?: readonly string[]
  /** Options of emails to the record's people; without them, none can be written. */
  email?: EmailOptions
  /** Offered by the composer below a note that was added. */
  afterNote?: ReactNode
  /** Tabs of the composer after notes and emails. */
  tabs?: readonly ComposerTab[]
  /** Other ways to write, shown below the composer. */
  children?: ReactNode
  /** Whether the title is only read aloud, because the timeline is the page's main pane. */
  isTitleHidden?: boolean
  /** Whether it is in a dialog, where the keys of the page do nothing. */
  inDialog?: boolean
}

/** Timeline of a record. It loads after the record, so that pages without one don't load it. */
export const Timeline = (props: TimelineProps) => (
  <Suspense
    fallback={
      <Panel aria-label="Timeline">
        <LoadingState />
      </Panel>
    }
  >
    <TimelinePanel {...props} />
  </Suspense>
)
