import { useLocalStorage } from '@mantine/hooks'
import { z } from 'zod'
import { recordId } from '#shared/schemas.ts'
import type { List, ListFilters } from '#web/list/useList.ts'
import { personalKey } from '#web/session.ts'

/** Parameters in the URL of a list that is also an inbox: its layout, and the open record. */
export const inboxParameters = {
  layout: z.enum(['inbox', 'table']).optional(),
  open: recordId.optional(),
}
type Layout = 'inbox' | 'table'

/**
 * Returns the layout of a list, and a function that changes it. The URL decides; without it, the list has the
 * layout that the user chose last.
 */
export function useLayout<Row, S extends z.ZodType<ListFilters & { layout?: string | undefined }>>(
  list: List<Row, S>,
) {
  const [chosen, setChosen] = useLocalStorage<Layout>({
    key: personalKey(`layout-${list.definition.name}`),
    defaultValue: 'inbox',
    getInitialValueInEffect: false,
  })
  const choose = (layout: Layout) => {
    setChosen(layout)
    void list.filterBy({ layout, page: list.filters.page, open: undefined } as Partial<z.output<S>>)
  }
  const { layout: asked } = list.filters
  return { layout: asked === 'inbox' || asked === 'table' ? asked : chosen, choose }
}
