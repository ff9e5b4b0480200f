import { Suspense, useRef, useState, type ReactNode, type RefObject } from 'react'
import classes from '#web/filter/choices.module.css'
import { SelectButton } from '#web/parts/controls.tsx'

export interface Box {
  /** The field that the box belongs to. */
  field: RefObject<HTMLElement | null>
  /** Closes the box, and returns the focus to the field. */
  onClose: () => void
  /** Closes the box, whose focus has moved elsewhere. */
  onLeave: () => void
}

interface Props {
  label: string
  /** Describes the choice. */
  text: string
  children: (box: Box) => ReactNode
}

/** A button that shows a choice; its click opens a box, such as one with the options. */
export function BoxField({ label, text, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLSpanElement>(null)
  return (
    <span ref={root} className={classes.frame}>
      <SelectButton label={label} isOpen={isOpen} onClick={() => setOpen(!isOpen)}>
        {text}
      </SelectButton>
      {isOpen && (
        <Suspense>
          {children({
            field: root,
            onClose: () => {
              setOpen(false)
              root.current?.querySelector('button')?.focus()
            },
            onLeave: () => setOpen(false),
          })}
        </Suspense>
      )}
    </span>
  )
}
