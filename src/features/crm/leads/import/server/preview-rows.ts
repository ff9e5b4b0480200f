import { dayText } from '#shared/dates.ts'
import { byName } from '#shared/field.ts'
import { numberText } from '#shared/money.ts'
import type { Import, ImportRow, ShownValue } from '#features/crm/leads/import/contract.ts'
import {
  customFieldOf,
  importTargets,
  isCustomTarget,
  takesDay,
  type ColumnTarget,
} from '#features/crm/leads/import/mapping.contract.ts'
import { customValueText, type CustomValues } from '#features/crm/leads/custom-fields.rules.ts'
import { findHeld } from '#features/crm/leads/import/server/import.queries.ts'
import { judge } from '#features/crm/leads/import/server/judge.ts'
import type { Judgement, Match } from '#features/crm/leads/import/server/judge-row.ts'
import { findLists } from '#features/crm/leads/import/server/lists.queries.ts'
import type { Lists } from '#features/crm/leads/import/server/read-value.ts'
import type { FileRow } from '#features/crm/leads/import/server/table-file.ts'
import { billings, demoStates, leadTypes } from '#features/crm/leads/rules.ts'
import type { LeadValues } from '#features/crm/leads/record/server/lead-columns.ts'
import type { Db } from '#server/db/db.ts'

/* The values that rows of a file will store, as a preview shows them. */

type Row = Pick<ImportRow, 'outcome'> & FileRow
interface Preview {
  fields: { name: string; label: string }[]
  /** By the line of the row. */
  valuesOf: Map<number, Record<string, ShownValue>>
}

/** Fields that other columns of the preview show, or that say nothing about the lead. */
const shownElsewhere: readonly string[] = ['companyName', 'number', 'skip', 'detail']

/** Returns the values that rows will store, by the leads as they are now; none once the import has started. */
export async function previewRows(db: Db, one: Import, rows: readonly Row[]): Promise<Preview> {
  if (one.state !== 'checked') return { fields: [], valuesOf: new Map() }
  const held = (await findHeld(db, one.id))!
  const lists = await findLists(db, one.mapping.lead_for)
  const targets = targetsOf(one)
  const judgements = await judge(db, held, rows, lists, { earlier: new Map(), lock: false })
  const fields = targets.map((target) => ({ name: target, label: labelOf(target, lists) }))
  const valuesOf = new Map(
    rows.flatMap((row, index) =>
      // Alone, a row doesn't see the earlier ones, by which it can be a duplicate.
      row.outcome === judgements[index]!.outcome
        ? [[row.line, valuesIn(judgements[index]!, targets, lists)] as const]
        : [],
    ),
  )
  return { fields, valuesOf }
}

/** Returns the fields that rows can set: those of columns, those for all rows, and those that follow from others. */
function targetsOf({ mapping }: Pick<Import, 'mapping'>): ColumnTarget[] {
  const mapped = [...mapping.columns.map(storedAs), ...(mapping.for_all ?? []).map(({ field }) => field)]
  const following: ColumnTarget[] = mapped.includes('amount') ? ['currency', 'timezone'] : ['timezone']
  const fields = new Set([...mapped, ...following].filter((target) => !shownElsewhere.includes(target)))
  return [...fields, ...(mapped.includes('detail') ? (['detail'] as const) : [])]
}

/** Returns the field that has the values of a column: first and last names are stored as one. */
const storedAs = (target: ColumnTarget): ColumnTarget =>
  target === 'first_name' || target === 'last_name' ? 'contactName' : target

const labelOf = (target: ColumnTarget, { custom_fields }: Lists): string =>
  isCustomTarget(target)
    ? (customFieldOf(target, custom_fields)?.name ?? '')
    : target === 'detail'
      ? 'Imported details'
      : importTargets[target]

function valuesIn(
  { values, before, contact, new_tags = [] }: Judgement,
  targets: readonly ColumnTarget[],
  lists: Lists,
): Record<string, ShownValue> {
  if (!values) return {}
  const shown = targets.flatMap((target) => {
    const isNewTag = target === 'tag_ids' && new_tags.length > 0
    const after = isContact(target) ? contact?.[partOf(target)] : valueOf(values, target)
    if ((after === undefined || after === null || after === '') && !isNewTag && !before) return []
    const was = before && !isContact(target) ? wordsOf(target, valueOf(before, target), lists) : undefined
    const words =
      after === undefined && !isNewTag
        ? was
        : [wordsOf(target, after, lists), ...(isNewTag ? new_tags : [])].filter(Boolean).join(', ')
    if (words === undefined) return []
    return [
      [
        target,
        was === undefined || was === words ? { value: words } : { value: words, before: was },
      ] as const,
    ]
  })
  return Object.fromEntries(shown)
}

type ContactTarget = `contact2_${'name' | 'role' | 'email' | 'phone'}`
const isContact = (target: ColumnTarget): target is ContactTarget => target.startsWith('contact2_')
const partOf = (target: ContactTarget) => target.slice('contact2_'.length) as 'name'

function valueOf(values: LeadValues | Match, target: ColumnTarget): unknown {
  if (target === 'detail') return values.details
  if (isCustomTarget(target))
    return (values.custom_values as CustomValues | undefined)?.[target.slice('custom_'.length)]
  return values[target as keyof LeadValues]
}

/** Returns a value as text, which is empty for none. */
function wordsOf(target: ColumnTarget, value: unknown, lists: Lists): string {
  if (value === undefined || value === null || value === '') return ''
  const custom = customFieldOf(target, lists.custom_fields)
  if (custom) return customValueText(custom, value)
  const words = wordsBy(lists)[target]
  if (words) return words(value)
  return typeof value === 'string' && takesDay(target, lists.custom_fields) ? dayText(value) : asText(value)
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Values that are more than a text. */
function wordsBy(lists: Lists): Readonly<Record<string, (value: unknown) => string>> {
  const nameIn = (entries: readonly { id: number; name: string }[]) => (id: unknown) =>
    entries.find((entry) => entry.id === id)?.name ?? `#${String(id)}`
  const joined = (nameOf: (one: unknown) => string) => (value: unknown) =>
    (value as unknown[]).map(nameOf).join(', ')
  return {
    status: nameIn(lists.statuses),
    color: nameIn(lists.priorities),
    assign_to: nameIn(lists.people),
    tag_ids: joined(nameIn(lists.all_tags)),
    cog_types: joined(String),
    lead_type: byName(leadTypes),
    demo_status: byName(demoStates),
    recurring: byName(billings),
    amount: (value) => numberText(Number(value)),
    detail: (value) =>
      (value as { label: string; value: string }[]).map((one) => `${one.label}: ${one.value}`).join('; '),
  }
}
