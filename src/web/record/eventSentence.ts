import type { RecordEvent } from '#shared/record.contract.ts'
import {
  fileFields,
  formatFieldValue,
  isNothing,
  labelOf,
  type RecordFields,
} from '#web/record/fieldWords.ts'

/** Text of a sentence, or a value of a field in it; `was` marks the value before a change. */
export type SentencePart = string | { value: string; was?: true }
/** Part of a sentence in a log, which has a place for the record's name. */
type LogPart = SentencePart | { isRecord: true }

type Change = RecordEvent['changes'][number]

export interface EventSentence {
  /** What follows the person's name, such as `changed the status from`, `Open`, `to`, `In progress`. */
  parts: SentencePart[]
  /** Changes of which the sentence only names the fields, because they are too many or too long for it. */
  folded: Change[]
}

/** A sentence has the values of at most this many fields. */
const mostFields = 3
/** A sentence has values of at most this many characters together. */
const mostLetters = 160
/** If the values of more fields are left out, only the first ones are named. */
const mostNamed = 3

/** Changes that the words of the action already say. */
const saidByAct: Record<string, string> = {
  'Moved to trash': 'in_trash',
  'Restored from the trash': 'in_trash',
}

/** Changes that are said without the value of a field, so that they can be said of several records. */
const valueless: ReadonlySet<string> = new Set(['in_trash', 'undone', 'redone'])

/** Actions that are said by the words after the changed fields, or else on their own. */
const endings: Record<string, string> = {
  'Assigned by a rule': ' by an assignment rule',
  'Sorted by a rule': ' by a ticket rule',
  'Taken from an absent assignee': ' because they can’t open it',
  'Edited in bulk': ' in bulk',
  'Undid an operation': ' with Undo',
  'Redid an operation': ' with Redo',
}

/** Actions on an admin user that reassign their records, and how the histories of those say it. */
const handovers: Record<string, string> = {
  Deactivated: ' because someone was deactivated',
  Reactivated: ' because someone was reactivated',
}

/** Actions whose names don't become a clause by naming the record after the verb. */
const clauses: Record<string, string> = {
  Commented: 'commented',
  'Moved card': 'moved the card',
  Replied: 'replied',
  Unsubscribed: 'unsubscribed',
}

/** The change that a sentence says. */
type Said = Pick<RecordEvent, 'act' | 'endpoint' | 'changes'>

/** How a sentence names its record. */
interface Subject {
  /** The record as the object of a verb, as in `this lead`. */
  noun: string
  /** What follows the name of a field, as in ` of Aalto Linen`. */
  of: string
  /** Whether the same change was made to several records, so that the sentence has no values. */
  isMany?: boolean
}

/** Stands for the record's name until the sentence is complete. */
const recordMark = '\uE000'

/** Returns an event as a sentence that follows the person's name. `noun` is the type of the record, as in `lead`. */
export const sentenceOf = (event: Said, fields: RecordFields, noun: string): EventSentence =>
  sentenceAbout(event, fields, { noun: `this ${noun}`, of: '' })

/**
 * Returns an entry of a log as a sentence that follows the person's name and names the record. `noun` precedes
 * the record's name after a verb, as in `the lead`; it is empty if the name includes the type.
 */
export function logSentence(
  event: Said,
  fields: RecordFields,
  { noun, isMany }: { noun: string; isMany: boolean },
): LogPart[] {
  const subject = { noun: `${noun} ${recordMark}`.trim(), of: ` of ${recordMark}`, isMany }
  const { parts } = sentenceAbout(event, fields, subject)
  const named = parts.flatMap((part) => (typeof part === 'string' ? withRecord(part) : [part]))
  const isNamed = named.some((part) => typeof part === 'object' && 'isRecord' in part)
  if (isNamed) return named
  const first = parts[0]
  const joint = typeof first === 'string' && /^(?:added|commented|replied|saved)/.test(first) ? ' on ' : ': '
  return [...named, joint, { isRecord: true }]
}

const withRecord = (text: string): LogPart[] =>
  text
    .split(recordMark)
    .flatMap((part, at): LogPart[] => (at === 0 ? [part] : [{ isRecord: true }, part]))
    .filter((part) => part !== '')

function sentenceAbout(event: Said, fields: RecordFields, subject: Subject): EventSentence {
  const act = event.act || event.endpoint
  const changes = event.changes.filter(({ field }) => !isHidden(fields, field) && field !== saidByAct[act])
  const isOfUser = changes.some(({ field }) => field === 'deactivated')
  const ending = endings[act] ?? (isOfUser ? undefined : handovers[act])
  const isEdit = /^(?:Changed|Edited|Moved card)\b/.test(act) || ending !== undefined
  if (changes.length === 0) {
    const handover = isOfUser ? undefined : handovers[act]
    return { parts: [handover ? `changed ${subject.noun}${handover}` : clauseOf(act, subject)], folded: [] }
  }
  const own = changes.length === 1 && ownWords(changes[0]!, fields)
  if (own) return { parts: own, folded: [] }
  const isFilledIn = changes.every(({ before }) => isNothing(before))
  const hasValues = !changes.every(({ field }) => valueless.has(field))
  const isLong =
    (subject.isMany && hasValues) || changes.length > mostFields || lengthOf(changes, fields) > mostLetters
  // The fields of a new record are on its page, so they aren't named.
  if (isLong && isFilledIn && !isEdit) return { parts: [clauseOf(act, subject)], folded: changes }
  const parts: SentencePart[] = isEdit ? [] : [clauseOf(act, subject)]
  if (isLong) {
    const of = isEdit ? subject.of : ''
    parts.push(`${isEdit ? '' : ' and '}changed ${namesOf(changes, fields)}${of}`)
  } else {
    const added = isEdit ? [] : changes.filter(({ before }) => isNothing(before))
    if (added.length > 0) parts.push(...inBrackets(added, fields))
    const rest = changes.filter((change) => !added.includes(change))
    if (rest.length > 0)
      parts.push(
        ...(isEdit ? [] : [' and ']),
        ...inClauses(rest, fields, isEdit ? subject : { ...subject, of: '' }),
      )
  }
  // Undoing a note or a session has its own verb.
  const isUndoSaid = changes.some(({ field }) => field === 'undone' || field === 'redone')
  if (ending !== undefined && !isUndoSaid) parts.push(ending)
  return { parts, folded: isLong ? changes : [] }
}

/** Returns the sentence that a field has for itself, as in `merged #145 into this ticket`. */
function ownWords({ field, before, after }: Change, fields: RecordFields): SentencePart[] | undefined {
  const isCleared = isNothing(after)
  const says = isCleared ? fields[field]?.saysCleared : fields[field]?.says
  return says && [says[0], { value: formatFieldValue(fields, field, isCleared ? before : after) }, says[1]]
}

/** Returns whether a field means nothing to users, such as a row number or an undeclared column with an ID. */
const isHidden = (fields: RecordFields, field: string): boolean =>
  fields[field] ? fields[field].isHiddenInHistory === true : /_(?:id|by)$/.test(field)

/** Returns `Moved to trash` as `moved this lead to the trash`. */
function clauseOf(act: string, { noun }: Subject): string {
  if (clauses[act] !== undefined) return clauses[act]
  const words = act.charAt(0).toLowerCase() + act.slice(1)
  if (act === 'Moved to trash') return `moved ${noun} to the trash`
  const [, verb, rest] = /^(\w+)( (?:to|from|in) .*)?$/.exec(words) ?? []
  if (verb !== undefined) return `${verb} ${noun}${rest ?? ''}`
  return words.replace(/^changed (?!the )/, 'changed the ')
}

/** Returns a label as it is written inside a sentence. */
const inSentence = (label: string) =>
  /^\p{Lu}(?!\p{Lu})/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label

/** Returns the field's name for a sentence; a label such as `Request received` doesn't read as a noun. */
function nameOf(fields: RecordFields, field: string): string {
  const label = labelOf(fields, field)
  return /ed$|\b(?:at|by|on|to)$/.test(label) ? `“${label}”` : `the ${inSentence(label)}`
}

const lengthOf = (changes: readonly Change[], fields: RecordFields) =>
  changes.reduce(
    (sum, { field, before, after }) =>
      sum + formatFieldValue(fields, field, before).length + formatFieldValue(fields, field, after).length,
    0,
  )

/** Returns `the title, the category, and 3 other fields`. */
function namesOf(changes: readonly Change[], fields: RecordFields): string {
  const names = changes.map(({ field }) => nameOf(fields, field))
  if (names.length <= mostNamed + 1) return asList(names)
  return asList([...names.slice(0, mostNamed), `${names.length - mostNamed} other fields`])
}

const asList = (words: readonly string[]): string =>
  words.length <= 2 ? words.join(' and ') : `${words.slice(0, -1).join(', ')}, and ${words.at(-1)!}`

/** Returns values that an action added, as in ` (reason: Too expensive)`. */
function inBrackets(changes: readonly Change[], fields: RecordFields): SentencePart[] {
  const parts = changes.flatMap(({ field, after }, at): SentencePart[] => [
    `${at === 0 ? ' (' : '; '}${inSentence(labelOf(fields, field))}: `,
    { value: formatFieldValue(fields, field, after) },
  ])
  return [...parts, ')']
}

/** Returns changes as clauses; a verb that is the same as the one before is left out. */
function inClauses(changes: readonly Change[], fields: RecordFields, subject: Subject): SentencePart[] {
  let last = ''
  return changes.flatMap((change, at) => {
    const { verb, parts } = wordsOf(change, fields, at === 0 ? subject : { ...subject, of: '' })
    const between = at === 0 ? '' : at < changes.length - 1 ? ', ' : changes.length === 2 ? ' and ' : ', and '
    const start = `${between}${verb === last ? '' : `${verb} `}`
    last = verb
    const [first, ...rest] = parts
    return typeof first === 'string' ? [start + first, ...rest] : [start, ...parts]
  })
}

interface Clause {
  verb: string
  parts: SentencePart[]
}

function wordsOf(change: Change, fields: RecordFields, { noun, of }: Subject): Clause {
  const { field, before, after } = change
  if (field === 'in_trash')
    return after === true
      ? { verb: 'moved', parts: [`${noun} to the trash`] }
      : { verb: 'restored', parts: [`${noun} from the trash`] }
  const value = (one: unknown) => ({ value: formatFieldValue(fields, field, one) })
  const old = (one: unknown) => ({ ...value(one), was: true as const })
  if (field === 'undone') return { verb: 'undid', parts: [{ value: `“${String(after)}”` }] }
  if (field === 'redone') return { verb: 'redid', parts: [{ value: `“${String(after)}”` }] }
  const name = `${nameOf(fields, field)}${of}`
  const list = listWords(change, name, value)
  if (list) return list
  if (isYesOrNo(value(before).value) || isYesOrNo(value(after).value))
    return {
      verb: 'set',
      parts: [
        `“${labelOf(fields, field)}”${of} to `,
        { value: isNothing(after) ? 'no' : value(after).value.toLowerCase() },
      ],
    }
  if (isNothing(before)) return { verb: 'set', parts: [`${name} to `, value(after)] }
  if (isNothing(after)) return { verb: 'cleared', parts: [`${name} (was `, old(before), ')'] }
  return { verb: 'changed', parts: [`${name} from `, old(before), ' to ', value(after)] }
}

const isYesOrNo = (words: string) => /^(?:yes|no)$/i.test(words)

/** Returns what was added to or removed from a list; undefined for other values, and if only the order changed. */
function listWords(
  { field, before, after }: Change,
  name: string,
  value: (of: unknown) => { value: string },
): Clause | undefined {
  const [was, is] = [before ?? [], after ?? []]
  if (!Array.isArray(was) || !Array.isArray(is)) return undefined
  const [added, removed] = [without(is, was), without(was, is)]
  if (added.length === 0 && removed.length === 0) return undefined
  // Files are known by their numbers, which mean nothing to users.
  if (fileFields.includes(field)) return fileWords(field, name, added.length, removed.length)
  const addition: SentencePart[] = [value(added), ` to ${name}`]
  if (added.length === 0) return { verb: 'removed', parts: [value(removed), ` from ${name}`] }
  if (removed.length === 0) return { verb: 'added', parts: addition }
  return { verb: 'added', parts: [...addition, ' and removed ', value(removed)] }
}

function without(list: readonly unknown[], other: readonly unknown[]): unknown[] {
  const known = new Set(other.map((one) => JSON.stringify(one)))
  return list.filter((one) => !known.has(JSON.stringify(one)))
}

function fileWords(field: string, name: string, added: number, removed: number): Clause {
  const files = (count: number) => (count === 1 ? 'a file' : `${count} files`)
  const isMany = field === 'file_ids'
  if (added === 0) return { verb: 'removed', parts: [isMany ? files(removed) : name] }
  if (!isMany) return { verb: removed === 0 ? 'added' : 'changed', parts: [name] }
  return { verb: 'added', parts: [`${files(added)}${removed === 0 ? '' : ` and removed ${files(removed)}`}`] }
}
