import { toneColor } from '#web/theme.ts'
import classes from '#web/shell/Tone.module.css'

/** A status or a priority: a coloured dot and the word, never the colour alone. */
export function Tone({ tone, children }: { tone: string; children: string }) {
  return (
    <span className={classes.tone}>
      <span className={classes.dot} style={{ background: toneColor(tone) }} aria-hidden />
      {children}
    </span>
  )
}
