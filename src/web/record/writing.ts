import { useEffect, useRef, useState } from 'react'
import { records } from '#shared/record.contract.ts'
import { mayReadType, type RecordType } from '#shared/records.ts'
import type { WritingEvent, WrittenPart } from '#shared/writing.ts'
import { isAllowed, request } from '#web/api/client.ts'
import { listen } from '#web/live.ts'
import { useViewer } from '#web/session.ts'

/** The kind of a text that a user writes, and its record. */
export interface Writing {
  type: RecordType
  id: number
  what: WrittenPart
}

/** Shortest time between two announcements while the user types. */
const announceEveryMs = 5000
/** Time after which a writer whose announcement wasn't repeated has paused, or is gone. */
const shownMs = 10_000

/** Returns the other users who are writing on a record, and what. */
export function useWriters(about: Pick<Writing, 'type' | 'id'>): readonly WritingEvent[] {
  const viewer = useViewer()
  const me = viewer?.id
  // Those who can see only their own records of a type would be refused.
  const channel = mayReadType(about.type, viewer) ? `private-${about.type}.${about.id}` : undefined
  const [writers, setWriters] = useState<readonly WritingEvent[]>([])
  useEffect(() => {
    if (channel === undefined) return
    const { hear, end } = trackWriters(channel, me, setWriters)
    const stop = listen(channel, 'writing', hear)
    return () => {
      stop()
      end()
    }
  }, [channel, me])
  return writers
}

/** Follows the announcements of a channel; `show` gets the writers whenever they change. */
export function trackWriters(
  channel: string,
  me: number | undefined,
  show: (writers: readonly WritingEvent[]) => void,
) {
  const writers = new Map<number, WritingEvent>()
  const timers = new Map<number, ReturnType<typeof setTimeout>>()
  const remove = (id: number) => {
    if (writers.delete(id)) show([...writers.values()])
  }
  return {
    hear(event: WritingEvent): void {
      const { id, what } = event
      if (event.channel !== channel || id === me) return
      clearTimeout(timers.get(id))
      if (what === null) return remove(id)
      timers.set(
        id,
        setTimeout(() => remove(id), shownMs),
      )
      writers.set(id, event)
      show([...writers.values()])
    },
    end(): void {
      for (const timer of timers.values()) clearTimeout(timer)
      show([])
    },
  }
}

/** Says what a user is writing. */
export const writingWords = ({ name, what }: WritingEvent): string =>
  `${name} is writing ${what === 'email' ? 'an email' : `a ${what}`}`

/**
 * Announces to the others who have a record open that the user is writing, until the form is empty again or closed.
 * Returns the handler of what is typed.
 */
export function useAnnounceWriting(writing: Writing | undefined, isDirty: boolean): () => void {
  const announced = useRef<{ writing: Writing; at: number }>(undefined)
  const key = writing && `${writing.type}.${writing.id}.${writing.what}`
  useEffect(() => {
    if (key === undefined || !isDirty) return
    return () => {
      if (announced.current) announce(announced.current.writing, true)
      announced.current = undefined
    }
  }, [key, isDirty])
  return () => {
    const now = Date.now()
    if (!writing || (announced.current && now - announced.current.at < announceEveryMs)) return
    announced.current = { writing, at: now }
    announce(writing, false)
  }
}

function announce({ type, id, what }: Writing, stopped: boolean): void {
  const input = { params: { type, id }, body: { what, stopped } }
  // If it fails, the others see nothing of it, and the user continues to write.
  if (isAllowed(records.writing, input)) request(records.writing, input).catch(() => {})
}
