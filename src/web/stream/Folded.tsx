import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import classes from '#web/stream/stream.module.css'

/** Content that is higher than this is folded. */
const highest = 460

/** Content of which only the beginning is shown if it is long, with a button that shows the rest. */
export function Folded({ children }: { children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null)
  const [isLong, setLong] = useState(false)
  const [isOpen, setOpen] = useState(false)
  useLayoutEffect(() => {
    const element = content.current!
    const observer = new ResizeObserver(() => setLong(element.offsetHeight > highest))
    observer.observe(element)
    // Sent by the button, and by an email when the user expands a quote in it.
    const unfold = () => setOpen(true)
    element.addEventListener('unfold', unfold)
    return () => {
      observer.disconnect()
      element.removeEventListener('unfold', unfold)
    }
  }, [])
  return (
    <>
      <div className={classes.clip} data-folded={(isLong && !isOpen) || undefined}>
        <div ref={content}>{children}</div>
      </div>
      {isLong && (
        <button
          type="button"
          className={classes.fold}
          aria-expanded={isOpen}
          onClick={() =>
            isOpen ? setOpen(false) : content.current!.dispatchEvent(new Event('unfold', { bubbles: true }))
          }
        >
          {isOpen ? 'Show less' : 'Show more'}
        </button>
      )}
    </>
  )
}
