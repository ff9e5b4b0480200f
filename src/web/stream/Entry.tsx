import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import IconPointFilled from '@tabler/icons-react/dist/esm/icons/IconPointFilled.mjs'
import type { StreamEntry } from '#web/stream/entries.ts'
import { Folded } from '#web/stream/Folded.tsx'
import classes from '#web/stream/stream.module.css'
import { fullTime } from '#web/time.ts'

/** An entry of a stream: a message, an internal note, or a change as a thin line. */
export function Entry({ entry }: { entry: StreamEntry }) {
  const { id, kind, who, role, avatar, state, content } = entry
  if (kind === 'change')
    return (
      <div id={id} className={classes.change}>
        <IconPointFilled className={classes.point} size={12} aria-hidden />
        <div className={classes.words}>
          <b>{who}</b> {content}
        </div>
        <span className={classes.when}>
          {state}
          <Time at={entry.at} />
        </span>
      </div>
    )
  return (
    <article id={id} className={classes.said} data-kind={kind}>
      <span className={classes.avatar}>{avatar}</span>
      <header className={classes.by}>
        <strong>{who}</strong>
        {kind === 'note' && (
          <span className={classes.inside}>
            <IconLock size={13} stroke={1.75} aria-hidden />
            Internal note
          </span>
        )}
        {role}
        <span className={classes.when}>
          {state}
          <Time at={entry.at} />
        </span>
      </header>
      <div className={classes.box}>
        <Folded>{content}</Folded>
      </div>
    </article>
  )
}

/** Time of day; the day is in the heading above. */
function Time({ at }: { at: string }) {
  const date = new Date(at)
  const two = (count: number) => String(count).padStart(2, '0')
  return <time dateTime={at} title={fullTime(at)}>{`${two(date.getHours())}:${two(date.getMinutes())}`}</time>
}
