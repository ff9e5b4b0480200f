import { Suspense, type ComponentType } from 'react'
import type { RecordType } from '#shared/records.ts'
import { registered } from '#web/shell/page.ts'

/**
 * Panel that a feature shows on the record pages of other features. It decides based on the type whether
 * there is anything to show.
 */
export type RecordPanel = ComponentType<{ type: RecordType; id: number }>

/** Panels from other features for this record: `<RecordPanels type="lead" id={lead.lead_id} />`. */
export const RecordPanels = ({ type, id }: { type: RecordType; id: number }) => (
  <Suspense>
    {registered.pages.map(
      ({ path, panel: Panel, panelOf = [type] }) =>
        Panel && panelOf.includes(type) && <Panel key={path} type={type} id={id} />,
    )}
  </Suspense>
)
