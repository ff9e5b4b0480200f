import { Suspense } from 'react'
import IconBookmark from '@tabler/icons-react/dist/esm/icons/IconBookmark.mjs'
import type { z } from 'zod'
import type { TableColumns } from '#web/list/columns.ts'
import { TextButton } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'

const SavedViews = lazyPart(() => import('#web/filter/SavedViews.tsx'))

/** The parts of a list that a saved view stores. */
export interface ViewedList {
  definition: { name: string; filters: z.ZodType<object> }
  filters: object
  columns: Pick<TableColumns<any>, 'all' | 'isShown' | 'show'>
}

/** Menu of a list's saved views; its code loads on the first click. */
export function ViewsMenu({ list }: { list: ViewedList }) {
  const { props, wanted, at } = useMenuButton()
  return (
    <>
      <TextButton icon={<IconBookmark size={14} aria-hidden />} {...props}>
        Views
      </TextButton>
      {wanted && (
        <Suspense>
          <SavedViews list={list} at={at} />
        </Suspense>
      )}
    </>
  )
}
