import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import type { LiveName } from '#shared/records.ts'
import { isSamePath, lastList, rememberList, useSeenRecord, type LastList } from '#web/list/lastList.ts'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import { useChanged } from '#web/live.ts'
import { StepsBar } from '#web/record/StepsBar.tsx'
import { useNeighbors } from '#web/record/useNeighbors.ts'
import { PageLink } from '#web/parts/PageLink.tsx'
import classes from '#web/record/StepsBar.module.css'

/**
 * Links to the previous and next record in the list that a record was opened from, and back to the list;
 * renders nothing if the record was opened in another way.
 */
export function RecordSteps({ of }: { of: LiveName }) {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useSeenRecord()
  return <Opened key={path} of={of} path={path} />
}

function Opened({ of, path }: { of: LiveName; path: string }) {
  const queries = useQueryClient()
  // Looked up once, because the record may leave the list while it is open.
  const [found] = useState(() => {
    const left = lastList()
    const list = left?.live === of ? left : undefined
    const reply: unknown = list && queries.getQueryData(list.askPage(list.page).queryKey)
    const at =
      list && reply !== undefined
        ? list.read(reply).rows.findIndex((address) => isSamePath(address, path))
        : -1
    return list && at !== -1 ? { list, openedAt: (list.page - 1) * list.perPage + at + 1 } : undefined
  })
  return found ? <Steps {...found} path={path} /> : null
}

function Steps({ list, path, openedAt }: { list: LastList; path: string; openedAt: number }) {
  const navigate = useNavigate()
  const among = useNeighbors(list, (address) => isSamePath(address, path), openedAt)
  useChanged(list.live, [list.endpoint])
  const pageOf = (position: number) => Math.ceil(position / list.perPage)

  function step(by: 1 | -1): void {
    const to = by < 0 ? among.previous : among.next
    if (!to) return
    rememberList({ ...list, page: pageOf(to.position) })
    // Replace this history entry, so that the browser's Back button leads to the list.
    void navigate({ to: to.row, replace: true })
  }
  usePageKeys({ j: () => step(1), k: () => step(-1) })

  const page = pageOf(among.place)
  const back =
    page > 1 ? `${list.address}${list.address.includes('?') ? '&' : '?'}page=${page}` : list.address
  return (
    <StepsBar one={list.one} listPosition={among} onStep={step}>
      <PageLink to={back} className={classes.back}>
        Back to list
      </PageLink>
    </StepsBar>
  )
}
