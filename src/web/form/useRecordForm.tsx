import { z } from 'zod'
import { inputsOf, type Fields } from '#shared/field.ts'
import type { OperationRef } from '#shared/record.contract.ts'
import { changedOf } from '#web/form/changedOf.ts'
import { sentOf, withInputs } from '#web/form/declared.ts'
import { fieldValues, type FieldValues } from '#web/form/fieldValues.ts'
import { useFieldsForm, type FieldsForm, type FieldsOptions, type Sent } from '#web/form/useFieldsForm.ts'
import { useRecordSnapshot } from '#web/form/useRecordSnapshot.ts'
import type { RecordFields } from '#web/record/fieldWords.ts'
import { useMerged, type Seen } from '#web/record/useMerged.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { toast } from '#web/message/toast.ts'

interface Answer {
  message: string
  /** Shown to the author although the record was saved. */
  warning?: string | null
  operation?: OperationRef | null
}

interface Options<F extends Fields> extends Omit<FieldsOptions<F>, 'newer' | 'onSave'> {
  /** The record to edit; if omitted, the form creates one, which `initial` is for. */
  record?: (object & { version: number }) | undefined
  /** Name of the record when the form asks about a conflict. */
  title?: string
  /** How values are written when the form asks about a conflict, if that depends on data. */
  words?: RecordFields
  /**
   * Returns the message after saving a record, if the page offers to undo it elsewhere; by default, the toast
   * has the reply's message and offers it. Undefined if nothing was saved.
   */
  savedMessage?: (values: FieldValues<F>) => string | undefined
  create?: (body: Sent<F>) => Promise<Answer | undefined>
  /** Saves the fields that the user has changed, based on the version that the user saw. */
  update?: (body: Partial<Sent<F>> & Seen) => Promise<Answer | undefined>
}

const newRecord = { version: 0 }

/**
 * Form of a record type. Creates a record, or saves the user's changes of one: changes that others have made
 * since are merged, conflicts are asked about, and the save can be undone.
 */
export function useRecordForm<F extends Fields>({
  fields,
  schema,
  record,
  title = '',
  initial,
  words = fields,

  adapt = (sent) => sent,
  savedMessage,
  create,
  update,
  ...rest
}: Options<F>): FieldsForm<F> {
  const { announceAct, keep } = useUndo()
  const declared = withInputs(fields, schema)
  const valuesOf = (of: object): FieldValues<F> => ({
    ...fieldValues(fields, of),
    ...(record ? {} : initial),
  })
  const { record: found, stored, newer } = useRecordSnapshot(record ?? newRecord, valuesOf)
  const before = adapt(sentOf(declared, stored) as Sent<F>, stored)
  const { save, dialog } = useMerged<object>({ ...before, ...found }, title, words)

  async function onSave(values: Sent<F>, typed: FieldValues<F>): Promise<void> {
    const sent = adapt(values, typed)
    if (!record) {
      const answer = await create?.(sent as Sent<F>)
      if (answer) announceAct(textOf(answer), answer.operation)
      return
    }
    await save(
      changedOf(sent, before),
      async (changes, seen) => {
        const answer = await update?.({ ...changes, ...seen } as Partial<Sent<F>> & Seen)
        if (answer && savedMessage) keep(answer.operation)
        else if (answer) announceAct(textOf(answer), answer.operation)
      },
      form.outdated,
    )
    const saved = savedMessage?.(typed)
    if (saved !== undefined) toast.success(saved)
  }

  const form: FieldsForm<F> = useFieldsForm<F>({
    ...rest,
    fields,
    // What else a request contains, such as the record's ID, is not in the form.
    schema: z.object(inputsOf(declared)).partial(),
    initial: stored,
    newer,
    adapt,
    onSave,
  })
  return { ...form, dialog }
}

const textOf = ({ message, warning }: Answer) => (warning ? `${message} ${warning}` : message)
