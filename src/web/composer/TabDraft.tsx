import { useSyncExternalStore } from 'react'
import classes from '#web/composer/composer.module.css'
import { watchDrafts } from '#web/form/draft.ts'
import { hasDraft } from '#web/form/otherDrafts.ts'
import { VisuallyHidden } from '#web/parts/VisuallyHidden.tsx'

/** Marks a tab whose text isn't shown if the viewer left input in it. */
export default function TabDraft({ form }: { form: string }) {
  const isLeft = useSyncExternalStore(watchDrafts, () => hasDraft(form))
  return (
    isLeft && (
      <>
        <span className={classes.draft} aria-hidden />
        <VisuallyHidden>, has a draft</VisuallyHidden>
      </>
    )
  )
}
