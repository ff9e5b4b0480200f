import { Suspense } from 'react'
import IconBookmark from '@tabler/icons-react/dist/esm/icons/IconBookmark.mjs'
import type { ViewedList } from '#web/filter/openView.ts'
import { TextButton } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'

const SavedViews = lazyPart(() => import('#web/filter/SavedViews.tsx'))

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
