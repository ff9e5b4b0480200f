import { queries } from '#web/api/queries.ts'
import { rememberAct } from '#web/record/lastActStore.ts'

/** Forgets what was loaded for the viewer, and their last action: neither must be shown to the next one. */
export function forgetViewer(): void {
  queries.clear()
  rememberAct(undefined)
}
