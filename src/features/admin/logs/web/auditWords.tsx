import type { ReactNode } from 'react'
import { isRoleId, roles } from '#shared/access.ts'
import { isRecordType, recordTypes } from '#shared/records.ts'
import type { AuditRow } from '#features/admin/logs/contract.ts'
import { logSentence, sentenceOf } from '#web/record/eventSentence.ts'
import { formatFieldValue, labelOf, type RecordFields } from '#web/record/fieldWords.ts'
import { countText } from '#web/time.ts'

/** Areas of the log, with the names of one and of several of their records. */
export const areas: readonly (readonly [area: string, one: string, many: string])[] = [
  ...Object.entries(recordTypes).map(([type, { one, many }]) => [type, one, many] as const),
  ['session', 'session', 'sessions'],
  ['role', 'role', 'roles'],
  ['product', 'product', 'products'],
  ['settings', 'settings', 'settings'],
  ['mail', 'email', 'emails'],
]
export const areaName = (area: string, isMany = false): string =>
  areas.find(([type]) => type === area)?.[isMany ? 2 : 1] ?? area.replaceAll('_', ' ')

/** Returns the labels of an entry's fields, and the words of their values. */
export const fieldsOf = ({ changes }: Pick<AuditRow, 'changes'>): RecordFields =>
  Object.fromEntries(
    changes.map(({ field, label, before, before_words, after_words }) => [
      field,
      {
        label: label ?? labelOf({}, field),
        words: (value: unknown) =>
          (JSON.stringify(value) === JSON.stringify(before) ? before_words : after_words) ??
          formatFieldValue({}, field, value),
      },
    ]),
  )

/** Returns the name of an entry's record; with its type, if the record has no name that the viewer can see. */
export function recordName(row: AuditRow): string {
  if (row.changed > 1) return `${countText(row.changed)} ${areaName(row.area, true)}`
  if (row.area === 'role' && isRoleId(row.record)) return `the role ${roles[row.record].name}`
  if (row.name !== null) return row.name
  return row.record === null ? areaName(row.area) : `${areaName(row.area)} #${row.record}`
}

/** Returns an entry as a sentence without its author: as text, and with the values marked. */
export function auditSentence(row: AuditRow, record: ReactNode = recordName(row)) {
  const fields = fieldsOf(row)
  const isNamed = row.changed === 1 && row.name !== null && isRecordType(row.area)
  const parts = partsOf(row, fields, isNamed)
  const text = parts.map((part) =>
    typeof part === 'string' ? part : 'value' in part ? part.value : recordName(row),
  )
  const shown = parts.map((part, at) => {
    if (typeof part === 'string') return part
    // The parts of a sentence don't change.
    if ('isRecord' in part) return <strong key={at}>{record}</strong>
    return part.was ? <del key={at}>{part.value}</del> : <ins key={at}>{part.value}</ins>
  })
  return { text: text.join(''), shown }
}

function partsOf(row: AuditRow, fields: RecordFields, isNamed: boolean) {
  // A request that changed no record is only its action, and a sign-in needs no number of its session.
  if (row.area === '') return [lowerFirst(row.act || row.endpoint)]
  if (row.area === 'session') return sentenceOf(row, fields, 'session').parts
  return logSentence(row, fields, {
    noun: isNamed ? `the ${areaName(row.area)}` : '',
    isMany: row.changed > 1,
  })
}

const lowerFirst = (text: string) =>
  /^\p{Lu}(?!\p{Lu})/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text

/** The functions that the pane beside the log uses. */
export const auditWords = { auditSentence, fieldsOf, recordName }
export type AuditWords = typeof auditWords
