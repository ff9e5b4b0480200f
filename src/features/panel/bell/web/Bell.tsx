import { Suspense, useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs'
import { tickets } from '#features/crm/support/contract.ts'
import { anyTask } from '#features/tasks/tasks/contract.ts'
import { queryTogether } from '#web/api/together.ts'
import { useMay } from '#web/api/useSend.ts'
import { useViewer } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { CountButton } from '#web/parts/CountButton.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'

const BellPanel = lazyPart(() => import('#features/panel/bell/web/BellPanel.tsx'))

/** Super Admin, Admin, and Support (A §6); for other roles, nothing is requested. */
const bellRoles: readonly number[] = [0, 1, 4]

interface Props {
  /** Whether the page has loaded. */
  isLoaded: boolean
}

export function Bell(props: Props) {
  const role = useViewer()?.role_id
  return role !== undefined && bellRoles.includes(role) ? <BellButton {...props} /> : null
}

function BellButton({ isLoaded }: Props) {
  const { props, wanted, at } = useMenuButton()
  const asks = isLoaded || wanted
  const mayTickets = useMay(tickets.unread)
  const mayTasks = useMay(anyTask.unnotified)
  const unread = useQuery({ ...queryTogether(tickets.unread), enabled: asks && mayTickets })
  const tasks = useQuery({ ...queryTogether(anyTask.unnotified), enabled: asks && mayTasks })
  // Wait for both counts: another page may have loaded only one of them, and the total would be wrong.
  const isComplete = (!mayTickets || unread.data) && (!mayTasks || tasks.data)
  const count = isComplete ? (unread.data?.ticket_count ?? 0) + (tasks.data?.task_count ?? 0) : 0
  useTitleCount(count)
  return (
    <>
      <CountButton label="Notifications" count={count} counted="new" {...props} aria-haspopup="dialog">
        <IconBell size={18} stroke={1.6} aria-hidden />
      </CountButton>
      {wanted && (
        <Suspense>
          <BellPanel at={at} tickets={mayTickets ? unread : undefined} tasks={mayTasks ? tasks : undefined} />
        </Suspense>
      )}
    </>
  )
}

/** Prefixes the document title with the unread count, such as `(3) `, in every tab. */
function useTitleCount(count: number): void {
  useEffect(() => {
    const title = document.querySelector('title')
    if (!title) return
    const mark = () => {
      const plain = document.title.replace(/^\(\d+\+?\) /, '')
      const wanted = count > 0 ? `(${count > 99 ? '99+' : count}) ${plain}` : plain
      if (document.title !== wanted) document.title = wanted
    }
    mark()
    const watcher = new MutationObserver(mark)
    watcher.observe(title, { childList: true })
    return () => watcher.disconnect()
  }, [count])
}
