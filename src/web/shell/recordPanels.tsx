import { Suspense, type ComponentType } from 'react'
import type { RecordType } from '#shared/records.ts'

/**
 * Panel that a feature shows on the record pages of other features. It decides based on the type whether
 * there is anything to show.
 */
export type RecordPanel = ComponentType<{ type: RecordType; id: number }>

let panels: readonly RecordPanel[] = []

/**
 * Sets the panels once, before the first page is shown. This is done when the app is wired up, because
 * features do not know about each other's pages.
 */
export function setRecordPanels(all: readonly RecordPanel[]): void {
  panels = all
}

/** Panels from other features for this record: `<RecordPanels type="lead" id={lead.lead_id} />`. */
export const RecordPanels = ({ type, id }: { type: RecordType; id: number }) => (
  <Suspense>
    {panels.map((Panel, index) => (
      <Panel key={index} type={type} id={id} />
    ))}
  </Suspense>
)
