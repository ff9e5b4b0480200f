import { useEffect, useEffectEvent } from 'react'
import { useSessionStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { views, type SavedView } from '#shared/views.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { isViewChanged, showColumnsOf, type ViewedList } from '#web/filter/openView.ts'
import { toast } from '#web/message/toast.ts'
import { personalKey, useViewer } from '#web/session.ts'

/** A saved view as this tab opened it. */
interface Opened {
  id: number
  name: string
  version: number
}

/** The saved view that the list's address names. */
export interface OpenedView {
  /** Undefined if it was deleted or isn't shared with the viewer anymore. */
  view: SavedView | undefined
  /** The name, also of a deleted view that was open before. */
  name: string
  /** The version of the view that this tab opened. */
  version: number
  /** Whether the list's filters, sort order, or columns differ from it. */
  isChanged: boolean
  /** The admin user who changed it while it was open here, if the list doesn't show that change. */
  changedBy: string | undefined
  /** Notes that this version of the view is open. */
  noteOpened: (view: SavedView) => void
}

/**
 * Returns the saved view that is open, once it is known; the columns follow when it is opened by a link. If someone
 * else changes or deletes it meanwhile, a message says so, and the list stays as it is.
 */
export function useOpenedView(list: ViewedList): OpenedView | undefined {
  const id = useSearch({ strict: false, select: idOf })
  const asked = queryOptionsFor(views.list, { query: { list: list.definition.name } })
  const { data, isFetching, refetch } = useQuery({
    ...asked,
    enabled: () => id !== undefined && asked.enabled(),
  })
  const viewer = useViewer()
  const [opened, setOpened] = useSessionStorage<Opened | null>({
    key: personalKey(`opened-view-${list.definition.name}`),
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const view = id === undefined ? undefined : data?.data.find((one) => one.id === id)
  const isChanged = view !== undefined && isViewChanged(list, view)
  const noteOpened = ({ id, name, version }: SavedView) => setOpened({ id, name, version })

  // Follows what is open; its version and whether it is gone are read from the data.
  const follow = useEffectEvent((id: number | undefined, _version: number | undefined, _isGone: boolean) => {
    if (id === undefined) {
      if (opened) setOpened(null)
      return
    }
    if (!data) return
    if (!view) {
      if (opened?.id === id && opened.version > 0) {
        toast.notice(`The view ${opened.name} was deleted or isn’t shared anymore. Your filters stay.`)
        setOpened({ ...opened, version: 0 })
      } else if (opened?.id !== id) {
        // A link to a view that was saved after the views were read.
        void refetch()
      }
      return
    }
    if (opened?.id !== id) {
      showColumnsOf(list, view)
      noteOpened(view)
    } else if (opened.version !== view.version) {
      const { changed_by } = view
      const isOwnChange = changed_by === null || changed_by.id === viewer?.id
      if (!isOwnChange && isChanged)
        toast.notice(
          `${changed_by.name} changed the view ${view.name}. Your filters stay until you open it again.`,
        )
      if (isOwnChange || !isChanged) noteOpened(view)
    }
  })
  const isGone = data !== undefined && view === undefined
  const version = view?.version
  useEffect(() => follow(id, version, isGone), [id, version, isGone])

  // A view that was just saved isn't in the answer before it.
  if (id === undefined || !data || (isGone && isFetching)) return undefined
  const isOutdated = view !== undefined && opened?.id === id && opened.version !== view.version && isChanged
  return {
    view,
    name: view?.name ?? (opened?.id === id ? opened.name : ''),
    version: opened?.id === id ? opened.version : (view?.version ?? 0),
    isChanged,
    changedBy: isOutdated ? (view.changed_by?.name ?? undefined) : undefined,
    noteOpened,
  }
}

function idOf({ saved_view }: { saved_view?: unknown }): number | undefined {
  const id = Number(saved_view)
  return Number.isInteger(id) && id > 0 ? id : undefined
}
