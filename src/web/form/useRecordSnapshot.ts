import { useState } from 'react'

/** Values saved since a form read its record; `adopt` makes them the new baseline. */
export interface Newer<Values> {
  values: Values
  adopt: () => void
}

interface Found<Stored, Values> {
  record: Stored
  stored: Values
  newer: Newer<Values> | undefined
}

/**
 * Returns a record as a form first read it. Input is compared with that version rather than with what others
 * have saved since, because saving would otherwise silently revert their changes. The form adopts the newer
 * record while it is untouched (`newer` of useDraftForm).
 */
export function useRecordSnapshot<Stored extends { version: number }, Values>(
  newest: Stored,
  valuesOf: (record: Stored) => Values,
): Found<Stored, Values> {
  const [record, setRecord] = useState(newest)
  const isNewer = newest.version > record.version
  return {
    record,
    stored: valuesOf(record),
    newer: isNewer ? { values: valuesOf(newest), adopt: () => setRecord(newest) } : undefined,
  }
}
