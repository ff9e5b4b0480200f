import { useEffect } from 'react'
import { useBlocker } from '@tanstack/react-router'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { keepDraftsNow } from '#web/form/draft.ts'
import { askToLeave, markUnsaved } from '#web/message/messages.ts'

/**
 * Asks before unsaved input is lost because the user leaves the page, switches products, or closes the tab;
 * also works for forms outside a modal.
 * @param besideList set if the form's record is open beside its list (`BesideListContext`): opening another one
 *   there, or the record's page, keeps the draft at hand, so nothing is asked
 */
export function useWarnBeforeLeaving<Values extends object>(
  form: DraftForm<Values>,
  besideList?: string,
): void {
  const { isDirty, saving } = form
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (!isDirty || saving) return false
      if (besideList !== undefined && [current.pathname, besideList].includes(next.pathname)) {
        // The next page reads the draft before this form is closed.
        keepDraftsNow()
        return false
      }
      return !(await askToLeave())
    },
    disabled: !isDirty,
    enableBeforeUnload: false,
  })
  useEffect(() => {
    if (!isDirty) return
    const release = markUnsaved()
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    globalThis.addEventListener('beforeunload', warn)
    return () => {
      release()
      globalThis.removeEventListener('beforeunload', warn)
    }
  }, [isDirty])
}
