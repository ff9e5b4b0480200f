import { useEffect, useEffectEvent, useRef, type ReactNode, type Ref, type RefObject } from 'react'
import { Popover } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import classes from '#web/dates/dates.module.css'
import { useDialog } from '#web/parts/useDialog.ts'

interface Props {
  label: string
  ref?: Ref<HTMLDivElement> | undefined
  /** Whether Tab stays inside. */
  trapsFocus: boolean
  /** The field that the popup belongs to; a click there doesn't close it. */
  field: RefObject<HTMLElement | null>
  /** Called on Escape. */
  onClose: () => void
  /** Called when the user clicks elsewhere. */
  onLeave: () => void
  children: ReactNode
}

/** A box with less height than this is too small to scroll in. */
const leastHeight = 240

/** Where neither the place below the field nor above it is high enough, as on a phone, the box scrolls. */
function limitHeight({
  availableHeight,
  elements,
}: {
  availableHeight: number
  elements: { floating: HTMLElement }
}) {
  elements.floating.style.maxHeight = `${Math.max(leastHeight, availableHeight)}px`
}

/** A box below a field, above dialogs. Escape closes it, and not the dialog that the field is in. */
export function DatePopup({ label, ref, trapsFocus, field, onClose, onLeave, children }: Props) {
  useDialog()
  const own = useRef<HTMLDivElement>(null)
  const box = useMergedRef(own, ref ?? null)
  const leave = useEffectEvent((event: PointerEvent) => {
    const target = event.target as Node
    if (!own.current?.contains(target) && !field.current?.contains(target)) onLeave()
  })
  useEffect(() => {
    const listener = (event: PointerEvent) => leave(event)
    document.addEventListener('pointerdown', listener)
    return () => document.removeEventListener('pointerdown', listener)
  }, [])
  return (
    <Popover
      opened
      position="bottom-start"
      withinPortal
      withRoles={false}
      middlewares={{ size: { padding: 8, apply: limitHeight } }}
      trapFocus={trapsFocus}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Popover.Target>
        <span className={classes.anchor} />
      </Popover.Target>
      <Popover.Dropdown
        ref={box}
        role="dialog"
        aria-label={label}
        className={classes.popup}
        // Events pass through the portal to the row or the form that the field is in.
        onClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === 'Escape') onClose()
        }}
      >
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}
