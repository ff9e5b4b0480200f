import { can } from '#shared/access.ts'
import { openNewForm } from '#web/form/newForms.ts'
import type { PageAct } from '#web/palette/pageActs.ts'
import { mayOpenPage } from '#web/palette/search.ts'
import { viewer } from '#web/session.ts'
import { registered } from '#web/shell/page.ts'

/**
 * Returns the new records that the viewer can create from anywhere.
 * @param go opens a page
 */
export const newRecords = (go: (path: string) => void): PageAct[] =>
  registered.pages.flatMap(({ path, creates }) =>
    creates && mayOpenPage(path) && (creates.needs === undefined || can(viewer(), creates.needs))
      ? [
          {
            id: `new-${path}`,
            label: creates.label,
            run: () => {
              if (creates.isDialog) openNewForm(path)
              go(path)
            },
          },
        ]
      : [],
  )
