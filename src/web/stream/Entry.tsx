import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import IconPointFilled from '@tabler/icons-react/dist/esm/icons/IconPointFilled.mjs'
import type { StreamEntry } from '#web/stream/entries.ts'
import { Folded } from '#web/stream/Folded.tsx'
import classes from '#web/stream/stream.module.css'
import { clockTime, fullTime } from '#web/time.ts'

/** An entry of a stream: a message, an internal note, or, as a thin line, an event or a change. */
export function Entry({ entry, isTarget }: { entry: StreamEntry; isTarget?: boolean }) {
  const { id, kind, who, role, avatar, icon, state, content } = entry
  if (kind === 'change' || kind === 'event')
    return (
      <div id={id} className={classes.change}>
        {icon ? (
          <span className={classes.icon}>{icon}</span>
        ) : (
          <IconPointFilled className={classes.point} size={12} aria-hidden />
        )}
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
    <article id={id} className={classes.said} data-kind={kind} data-target={isTarget || undefined}>
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
const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={fullTime(at)}>
    {clockTime(at)}
  </time>
)
