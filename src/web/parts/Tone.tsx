import type { CSSProperties } from 'react'
import { toneColor } from '#web/theme.ts'
import classes from '#web/parts/Tone.module.css'

interface Props {
  tone: string
  children: string
}

const toned =
  (className: string | undefined) =>
  ({ tone, children }: Props) => (
    <span className={className} style={{ '--tone': toneColor(tone) } as CSSProperties}>
      {children}
    </span>
  )

/**
 * A status: a pale pill with the status name, never color alone. A colored dot, by contrast, indicates a
 * product.
 */
export const Tone = toned(classes.tone)

/** A priority: its name next to a flag in its color, so that it is not mistaken for a status. */
export const Flag = toned(classes.flag)

/** A dot next to a name, such as for a record that someone is viewing; its tooltip says what it means. */
export const Dot = ({ label }: { label: string }) => (
  <span className={classes.dot} role="img" aria-label={label} title={label} />
)
