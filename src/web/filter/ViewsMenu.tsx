import { Suspense } from 'react'
import IconBookmark from '@tabler/icons-react/dist/esm/icons/IconBookmark.mjs'
import type { ViewedList } from '#web/filter/openView.ts'
import { useOpenedView, type OpenedView } from '#web/filter/useOpenedView.ts'
import classes from '#web/filter/views.module.css'
import { TextButton } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'

const SavedViews = lazyPart(() => import('#web/filter/SavedViews.tsx'))

/** Menu of a list's saved views, whose button names the open one; its code loads on the first click. */
export function ViewsMenu({ list }: { list: ViewedList }) {
  const { props, wanted, at } = useMenuButton()
  const opened = useOpenedView(list)
  return (
    <>
      <TextButton icon={<IconBookmark size={14} aria-hidden />} {...props}>
        {opened ? <NameOf opened={opened} /> : 'Views'}
      </TextButton>
      {wanted && (
        <Suspense>
          <SavedViews list={list} opened={opened} at={at} />
        </Suspense>
      )}
    </>
  )
}

const NameOf = ({ opened: { view, name, isChanged } }: { opened: OpenedView }) => (
  <>
    <span className={classes.name}>{name ? `Views: ${name}` : 'Views'}</span>
    {!view ? ' (deleted)' : isChanged ? ' (changed)' : ''}
  </>
)
