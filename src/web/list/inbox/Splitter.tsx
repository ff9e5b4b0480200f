import type { KeyboardEvent, PointerEvent } from 'react'
import { useLocalStorage } from '@mantine/hooks'
import classes from '#web/list/inbox/inbox.module.css'
import { personalKey } from '#web/session.ts'

/** Widths of the list, in percent of the inbox. */
const usual = 47
const least = 30
const most = 70
const step = 2

/** Returns the width of an inbox's list in percent, which the browser keeps, and the function that sets it. */
export function useListShare(list: string) {
  const [stored, store] = useLocalStorage({
    key: personalKey(`list-share-${list}`),
    defaultValue: usual,
    getInitialValueInEffect: false,
  })
  return [clamp(stored), (share: number) => store(clamp(share))] as const
}

/** Rounds a share to whole percents within the limits; what isn't a number is the usual one. */
const clamp = (share: number) => Math.round(Math.min(most, Math.max(least, share))) || usual

interface Props {
  share: number
  onMove: (share: number) => void
}

/** Handle between list and reading pane, moved by the mouse and the arrow keys; a double click resets it. */
export function Splitter({ share, onMove }: Props) {
  const drag = ({ currentTarget: handle, pointerId }: PointerEvent<HTMLElement>) => {
    const { left, width } = handle.closest(`.${classes.inbox}`)!.getBoundingClientRect()
    handle.setPointerCapture(pointerId)
    const move = ({ clientX }: globalThis.PointerEvent) => onMove((100 * (clientX - left)) / width)
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), {
      once: true,
    })
  }
  const byKey = (event: KeyboardEvent) => {
    const change = event.key === 'ArrowRight' ? step : event.key === 'ArrowLeft' ? -step : 0
    if (change === 0) return
    event.preventDefault()
    onMove(share + change)
  }
  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the list"
      aria-valuenow={share}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      className={classes.splitter}
      onPointerDown={drag}
      onKeyDown={byKey}
      onDoubleClick={() => onMove(usual)}
    />
  )
}
