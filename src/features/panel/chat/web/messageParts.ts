import type { RecordType } from '#shared/records.ts'
import { mentionPattern } from '#web/composer/mentions.ts'
import { recordAt } from '#web/record/recordAt.ts'

export interface Reference {
  type: RecordType
  id: number
}

/** A part of a message: text, a mention, a link, or a record that it names. */
export type MessagePart =
  | { kind: 'text' | 'mention' | 'link'; text: string }
  | { kind: 'record'; text: string; record: Reference }

/** A record named by its type, such as `#lead 482`, or by a number alone, which is a ticket's; and an address. */
const [named, address] = [
  '(?<![\\w&/#])#(?:(?:lead|ticket|task) )?[1-9]\\d{0,8}\\b',
  'https?://[^\\s<>]*[^\\s<>.,;:!?)]',
]

/**
 * Returns the parts of a message. An address of the panel that leads to a record is that record.
 * @param people names of those who can be mentioned as `@Name`
 */
export function messageParts(text: string, people: readonly string[]): MessagePart[] {
  const patterns = [named, address, mentionPattern(people)].filter(Boolean)
  return text.split(new RegExp(`(${patterns.join('|')})`)).flatMap((part, at): MessagePart[] => {
    if (part === '') return []
    // Every second part is a match.
    if (at % 2 === 0) return [{ kind: 'text', text: part }]
    if (part.startsWith('@')) return [{ kind: 'mention', text: part }]
    const record = part.startsWith('#') ? referenceIn(part) : recordAt(part)
    return [record ? { kind: 'record', text: part, record } : { kind: 'link', text: part }]
  })
}

function referenceIn(text: string): Reference {
  const [, type = 'ticket', id] = /^#(?:(lead|ticket|task) )?(\d+)$/.exec(text)!
  return { type: type as RecordType, id: Number(id) }
}

/** Returns the records that a message names, each once. */
export function referencesIn(text: string): Reference[] {
  const found = messageParts(text, []).flatMap((part) => (part.kind === 'record' ? [part.record] : []))
  return found.filter(
    ({ type, id }, at) => at === found.findIndex((other) => other.type === type && other.id === id),
  )
}
