import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { useMatch, useNavigate, useRouter } from '@tanstack/react-router'
import { listAddress, offeredList, type ListPosition } from '#web/list/position/listPosition.ts'
import { useSeenRecord } from '#web/list/position/useResumeAt.ts'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import { usePageActs } from '#web/palette/pageActs.ts'
import { PageLink } from '#web/parts/PageLink.tsx'
import { pendingSteps } from '#web/record/pendingSteps.ts'
import { StepsBar } from '#web/record/StepsBar.tsx'
import { useNeighbors } from '#web/record/useNeighbors.ts'
import { queueAround } from '#web/record/walk.ts'
import classes from '#web/record/StepsBar.module.css'
import { useScope } from '#web/shell/useScope.ts'

interface Props {
  /** Loads the next record, so that stepping to it takes no time. */
  prefetch?: ((id: number) => void) | undefined
}

/**
 * Links to the previous and next record in the list that a record was opened from, and back to the list;
 * renders nothing if the record was opened in another way.
 */
export function RecordSteps(props: Props) {
  // The page's own path: while the user is leaving the page, the browser's URL is already a different one.
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname })
  useSeenRecord()
  return <OfPage key={path} {...props} />
}

function OfPage(props: Props) {
  const router = useRouter()
  const product = useScope()
  const [opened] = useState(() => router.state.location.state.listPosition)
  // If the product has changed, the list is a different one.
  if (!opened || (opened.product !== undefined && opened.product !== product)) return null
  return <Steps opened={opened} {...props} />
}

function Steps({ opened, prefetch }: Props & { opened: ListPosition }) {
  const { id, one } = opened
  const navigate = useNavigate()
  const { list, isLoading } = useOfferedList(opened)
  const neighbors = useNeighbors(list, opened)
  const { walk, total, isCapped, previous, next } = neighbors
  useEffect(() => pendingSteps.arrive(id), [id])
  const load = useEffectEvent((nextId: number) => prefetch?.(nextId))
  const nextId = next?.id
  useEffect(() => {
    if (nextId !== undefined) load(nextId)
  }, [nextId])

  const steps = useSyncExternalStore(pendingSteps.subscribe, () => pendingSteps.of(id))
  const to = steps < 0 ? previous : steps > 0 ? next : undefined
  const isLooking = isLoading || neighbors.isLooking
  const isEnd = steps !== 0 && !to && !isLooking
  const go = useEffectEvent(() => {
    if (!to) return
    pendingSteps.take(id, to.id)
    const listPosition = { ...opened, ...to, total, isCapped, queue: queueAround(walk, to.id) }
    // Replace this history entry, so that the browser's Back button leads to the list.
    void navigate({ to: to.to, state: { listPosition }, replace: true })
  })
  const wanted = to?.id
  useEffect(() => {
    if (wanted !== undefined) go()
  }, [wanted])
  useEffect(() => {
    if (isEnd) pendingSteps.drop(id, steps)
  }, [isEnd, id, steps])

  const step = (by: 1 | -1) => {
    // A step back from an end of the list is not one less of the steps beyond it, which are about to be dropped.
    const beyond = pendingSteps.of(id)
    const isBeyond = beyond > 0 ? !next && !isCapped && walk.place >= total : !previous && walk.place <= 1
    if (isBeyond && beyond * by < 0) pendingSteps.drop(id, beyond)
    // Holding down a key at either end of the list does not request any steps.
    if (isLooking || (by < 0 ? previous : next)) pendingSteps.add(id, by)
  }
  usePageKeys({ j: () => step(1), k: () => step(-1) })
  usePageActs([
    ...(next ? [{ id: 'next', label: `Next ${one}`, letter: 'j', run: () => step(1) }] : []),
    ...(previous ? [{ id: 'previous', label: `Previous ${one}`, letter: 'k', run: () => step(-1) }] : []),
  ])

  return (
    <StepsBar one={one} listPosition={neighbors} onStep={step}>
      <PageLink to={listAddress({ ...opened, total }, walk.place)} className={classes.back}>
        Back to list
      </PageLink>
    </StepsBar>
  )
}

/** Returns the list that a record was opened from; after a reload, the list's page has to be loaded first. */
function useOfferedList({ key, address }: ListPosition) {
  const router = useRouter()
  const [list, setList] = useState(() => offeredList(key))
  const [isLoading, setLoading] = useState(!list)
  useEffect(() => {
    if (!isLoading) return
    const show = () => {
      setList(offeredList(key))
      setLoading(false)
    }
    router.preloadRoute({ to: address }).then(show, show)
  }, [router, isLoading, key, address])
  return { list, isLoading }
}
