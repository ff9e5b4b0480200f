import { useSyncExternalStore } from 'react'
import { readDraft, watchDrafts } from '#web/form/draft.ts'
import { Tone } from '#web/parts/Tone.tsx'

/** Marks a record in a list if the viewer left unsaved input in one of its forms. */
export function DraftMark({ forms }: { forms: readonly string[] }) {
  const isLeft = useSyncExternalStore(watchDrafts, () => forms.some((form) => readDraft(form) !== undefined))
  return isLeft && <Tone tone="blue">Draft</Tone>
}
