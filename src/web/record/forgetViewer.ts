import { queries } from '#web/api/queries.ts'
import { forgetSentReply } from '#web/mail/sentReply.ts'
import { rememberAct } from '#web/record/lastActStore.ts'

/** Forgets what was loaded for the viewer, their last action, and their last reply: none must be shown to the next one. */
export function forgetViewer(): void {
  queries.clear()
  rememberAct(undefined)
  forgetSentReply()
}
