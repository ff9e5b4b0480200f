import { useEffect } from 'react'
import { useBlocker } from '@tanstack/react-router'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { keepDraftsNow } from '#web/form/draft.ts'
import { askToLeave, markUnsaved } from '#web/message/messages.ts'

/**
 * Asks before unsaved input is lost because the user leaves the page, switches products, or closes the tab;
 * also works for forms outside a modal.
 * @param isLost whether leaving would lose something; a form that says that its draft is kept asks only then
 */
export function useWarnBeforeLeaving<Values extends object>(
  form: DraftForm<Values>,
  isLost = form.isDirty,
): void {
  const { isDirty, saving, inner } = form
  const losesFiles = inner.isBusy || inner.refused.length > 0
  useBlocker({
    shouldBlockFn: async () => {
      if (isLost && !saving) return !(await askToLeave(losesFiles))
      // The next page reads the draft before this form is closed.
      keepDraftsNow()
      return false
    },
    disabled: !isDirty && !isLost,
    enableBeforeUnload: false,
  })
  useEffect(() => {
    if (!isLost) return
    const release = markUnsaved()
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    globalThis.addEventListener('beforeunload', warn)
    return () => {
      release()
      globalThis.removeEventListener('beforeunload', warn)
    }
  }, [isLost])
}
