import { lazy, Suspense } from 'react'
import IconBookmark from '@tabler/icons-react/dist/esm/icons/IconBookmark.mjs'
import type { z } from 'zod'
import type { List, ListFilters } from '#web/list/useList.ts'
import { TextButton } from '#web/shell/controls.tsx'
import { loadChunk } from '#web/shell/lazy.tsx'
import { useMenuButton } from '#web/shell/useMenuButton.ts'

const SavedViews = lazy(() => loadChunk(() => import('#web/list/SavedViews.tsx')))

/** Saved views of a list; their code comes with the first click. */
export function ViewsMenu<Row, S extends z.ZodType<ListFilters>>({ list }: { list: List<Row, S> }) {
  const { props, wanted, at } = useMenuButton()
  return (
    <>
      <TextButton icon={<IconBookmark size={14} aria-hidden />} {...props}>
        Views
      </TextButton>
      {wanted && (
        <Suspense>
          <SavedViews list={list as unknown as List<unknown, z.ZodType<ListFilters>>} at={at} />
        </Suspense>
      )}
    </>
  )
}
