import { useSyncExternalStore } from 'react'
import { watchDrafts } from '#web/form/draft.ts'
import { hasDraft } from '#web/form/otherDrafts.ts'
import { Tone } from '#web/parts/Tone.tsx'

/** Marks a record in a list if the viewer left unsaved input in one of its forms. */
export function DraftMark({ forms }: { forms: readonly string[] }) {
  const isLeft = useSyncExternalStore(watchDrafts, () => forms.some(hasDraft))
  return isLeft && <Tone tone="blue">Draft</Tone>
}
