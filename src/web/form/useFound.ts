import { useState } from 'react'

/** What was saved since a form found its record; `take` goes on from there. */
export interface Newer<Values> {
  values: Values
  take: () => void
}

interface Found<Stored, Values> {
  record: Stored
  stored: Values
  newer: Newer<Values> | undefined
}

/**
 * A record as a form found it: what is typed is compared with that, and not with what colleagues save meanwhile,
 * else a save would put their change back unasked. The form takes the newer one over while it is untouched (`newer` of useDraftForm).
 */
export function useFound<Stored extends { version: number }, Values>(newest: Stored, valuesOf: (record: Stored) => Values): Found<Stored, Values> {
  const [record, setRecord] = useState(newest)
  const isNewer = newest.version > record.version
  return { record, stored: valuesOf(record), newer: isNewer ? { values: valuesOf(newest), take: () => setRecord(newest) } : undefined }
}
