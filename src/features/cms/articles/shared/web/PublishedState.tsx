import { Moment } from '#web/Moment.tsx'
import { Tone } from '#web/shell/Tone.tsx'

/** What stands in place of the moment until the next answer (docs/spec-gaps.md G42). */
export const justNow = 'Just now'

export const PublishedState = ({ published }: { published: number }) => (
  <Tone tone={published === 1 ? 'green' : 'gray'}>{published === 1 ? 'Published' : 'Not published'}</Tone>
)

/** Since when it is published. */
export const PublishedAt = ({ at }: { at: string | null }) => (at === null ? null : at === justNow ? <span>{justNow}</span> : <Moment at={at} />)
