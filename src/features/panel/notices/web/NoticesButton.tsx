import { Suspense, useEffect } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import IconInbox from '@tabler/icons-react/dist/esm/icons/IconInbox.mjs'
import { notices, type UnreadRecord } from '#features/panel/notices/contract.ts'
import { useReadShown } from '#features/panel/notices/web/useReadShown.ts'
import { refetchShowing } from '#web/api/refetch.ts'
import { queryTogether } from '#web/api/together.ts'
import { listen } from '#web/live.ts'
import { useViewer } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { CountButton } from '#web/parts/CountButton.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'

const NoticesPanel = lazyPart(() => import('#features/panel/notices/web/NoticesPanel.tsx'))

interface Props {
  /** Whether the page has loaded. */
  isLoaded: boolean
}

const none: readonly UnreadRecord[] = []

/** Button with the number of records about which the viewer has unread notices, which are in a panel below it. */
export function NoticesButton({ isLoaded }: Props) {
  const me = useViewer()?.id
  const { props, wanted, at } = useMenuButton()
  const asks = (isLoaded || wanted) && me !== undefined
  const queries = useQueryClient()
  const { data } = useQuery({ ...queryTogether(notices.count), enabled: asks })
  useReadShown(data?.records ?? none)
  useEffect(() => {
    if (!asks) return
    return listen(`private-staff.${me}`, 'notices', () => refetchShowing(queries, ['notices']))
  }, [asks, me, queries])
  return (
    <>
      <CountButton
        label="Notices"
        count={data?.unread ?? 0}
        counted="unread"
        {...props}
        aria-haspopup="dialog"
      >
        <IconInbox size={18} stroke={1.6} aria-hidden />
      </CountButton>
      {wanted && (
        <Suspense>
          <NoticesPanel at={at} unread={data?.unread ?? 0} />
        </Suspense>
      )}
    </>
  )
}
