import { useEffect, useState } from 'react'
import { mayReadType, type RecordType } from '#shared/records.ts'
import { listen } from '#web/live.ts'
import classes from '#web/record/Presence.module.css'
import { useShown } from '#web/record/shownRecords.ts'
import { useWriters, writingWords } from '#web/record/writing.ts'
import { useViewer } from '#web/session.ts'

interface Props {
  type: RecordType
  id: number
}

interface Person {
  id: number
  name: string
}

/**
 * Names of the other users who have this record open, and what they are writing, kept up to date for as long as it is
 * shown. The record counts as on the screen.
 */
export function Presence(props: Props) {
  const viewer = useViewer()
  useShown(props.type, props.id)
  // Those who can see only their own records of a type would be refused.
  return mayReadType(props.type, viewer) && <Others {...props} me={viewer?.id} />
}

function Others({ type, id, me }: Props & { me: number | undefined }) {
  const channel = `private-${type}.${id}`
  const [seen, setSeen] = useState<{ channel: string; people: readonly Person[] }>()
  useEffect(
    () =>
      listen(channel, 'presence', (payload: { channel?: string; people?: Person[] }) => {
        if (payload.channel === channel) setSeen({ channel, people: payload.people ?? [] })
      }),
    [channel],
  )
  const people = seen?.channel === channel ? seen.people : []
  const writers = useWriters({ type, id })
  const names = people
    .filter((one) => one.id !== me && !writers.some((writer) => writer.id === one.id))
    .map(({ name }) => name)
  const words = writers.map(writingWords)
  if (names.length > 0)
    words.push(`${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} also viewing this`)
  return (
    <span className={classes.people} role="status" aria-label="Also viewing">
      {words.length > 0 && (
        <>
          <span className={classes.dot} aria-hidden />
          {words.join('. ')}
        </>
      )}
    </span>
  )
}
