import { useEffect, useEffectEvent } from 'react'
import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { placeAt } from '#web/board/cardElements.ts'
import type { Lane } from '#web/board/lanes.ts'
import type { Lift } from '#web/board/useLift.ts'

type Drag = Parameters<NonNullable<Parameters<typeof monitorForElements>[0]['onDrag']>>[0]
type DragLocation = Drag['location']['current']
const cardIdOf = ({ data }: Drag['source']) => data['card'] as number

/** Follows a card that is dragged with the pointer. */
export function useDragMonitor<Card>(
  root: { current: HTMLElement | null },
  lift: Lift,
  lanes: readonly Lane<Card>[],
  isOrdered: boolean,
): void {
  const start = useEffectEvent((id: number, height: number) => lift.lift(id, 'pointer', height))
  const placeOver = ({ dropTargets, input }: DragLocation, id: number) => {
    const lane = dropTargets[0]?.element
    return lane instanceof HTMLElement ? placeAt(lane, input.clientY, id, isOrdered, lanes) : undefined
  }
  const drag = useEffectEvent((at: DragLocation, id: number) => lift.hover(placeOver(at, id)))
  const drop = useEffectEvent((at: DragLocation, id: number) => {
    const to = placeOver(at, id)
    if (to) lift.drop(id, to)
    else lift.cancel()
  })
  useEffect(() => {
    const element = root.current!
    return monitorForElements({
      canMonitor: ({ source }) => element.contains(source.element),
      onDragStart: ({ source }) => start(cardIdOf(source), source.element.offsetHeight),
      onDrag: ({ source, location }) => drag(location.current, cardIdOf(source)),
      onDrop: ({ source, location }) => drop(location.current, cardIdOf(source)),
    })
  }, [root])
}
