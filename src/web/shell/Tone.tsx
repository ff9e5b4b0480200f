import type { CSSProperties } from 'react'
import { toneColor } from '#web/theme.ts'
import classes from '#web/shell/Tone.module.css'

/** A status or a priority: a soft pill in its colour with its word, never the colour alone. A coloured dot means a product. */
export const Tone = ({ tone, children }: { tone: string; children: string }) => (
  <span className={classes.tone} style={{ '--tone': toneColor(tone) } as CSSProperties}>
    {children}
  </span>
)
