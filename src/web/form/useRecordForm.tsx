import type { z } from 'zod'
import type { Fields } from '#shared/field.ts'
import type { OperationRef } from '#shared/record.contract.ts'
import type { UncleanHtml } from '#shared/schemas.ts'
import { fieldErrors, isRequired, sentOf, withInputs } from '#web/form/declared.ts'
import { fieldValues, type FieldValues } from '#web/form/fieldValues.ts'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { useRecordSnapshot } from '#web/form/useRecordSnapshot.ts'
import type { RecordFields } from '#web/record/fieldWords.ts'
import { changesBetween, useMerged, type Seen } from '#web/record/useMerged.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { toast } from '#web/message/toast.ts'

/** Values of a form as requests contain them. */
type Sent<F extends Fields> = {
  [Name in keyof FieldValues<F>]: F[Name] extends { input: infer Input extends z.ZodType }
    ? UncleanHtml extends z.output<Input>
      ? string
      : z.output<Input>
    : FieldValues<F>[Name]
}

interface Answer {
  message: string
  /** Shown to the author although the record was saved. */
  warning?: string | null
  operation?: OperationRef | null
}

interface Options<F extends Fields> {
  /** Name of the draft, such as `user-new` or `user-17`. */
  name: string
  /** Declaration of the record's fields; the form has those that declare an empty value. */
  fields: F
  /** The contract's schema of the values, for example that of a change. */
  schema: z.ZodType
  /** The record to edit; if omitted, the form creates one. */
  record?: (object & { version: number }) | undefined
  /** Name of the record when the form asks about a conflict. */
  title?: string
  /** Values of a new record that differ from the declared empty ones. */
  initial?: Partial<FieldValues<F>>
  /** How values are written when the form asks about a conflict, if that depends on data. */
  words?: RecordFields
  /** Endpoints to refetch after an undo. */
  refresh: Parameters<typeof useUndo>[0]
  /** Returns the request's body, if it differs from the values of the fields. */
  adapt?: (sent: Sent<F>) => object
  /**
   * Returns the message after saving a record, if the page offers to undo it elsewhere; by default, the toast
   * has the reply's message and offers it.
   */
  savedMessage?: (values: FieldValues<F>) => string
  /** Shows an error that doesn't belong to a field somewhere other than in the form. */
  showFailure?: (words: string) => void
  /** Asks a question before saving; false leaves the form open with its input, and nothing is saved. */
  confirmSave?: (values: FieldValues<F>) => Promise<boolean>
  create?: (body: Sent<F>) => Promise<Answer | undefined>
  /** Saves the fields that the user has changed, based on the version that the user saw. */
  update?: (body: Partial<Sent<F>> & Seen) => Promise<Answer | undefined>
  /** Called after a save if the form is still open, for example to close it. */
  onSaved?: (() => void) | undefined
}

/** A field's props for its input: those of the declaration, and where its value is. */
interface Place<F extends Fields> {
  form: DraftForm<FieldValues<F>>['fields']
  name: keyof FieldValues<F> & string
  label: string
  required: boolean
}

export interface RecordForm<F extends Fields> extends DraftForm<FieldValues<F>> {
  /** The fields with the schemas of their values. */
  declared: Fields
  /** Returns the props of a field made for forms, such as `OrganizationField`. */
  at: (name: keyof FieldValues<F> & string) => Place<F>
  /** Returns the props of a controlled input, such as `FilesField`: also its value and error. */
  control: (name: keyof FieldValues<F> & string) => {
    label: string
    required: boolean
    'data-path': string
  } & ReturnType<DraftForm<FieldValues<F>>['fields']['getInputProps']>
}

const newRecord = { version: 0 }

/**
 * Form of a record type: initial values, validation, and what is sent derive from the declaration of its
 * fields. Creates a record, or saves the user's changes of one: changes that others have made since are
 * merged, conflicts are asked about, and the save can be undone.
 */
export function useRecordForm<F extends Fields>({
  name,
  fields,
  schema,
  record,
  title = '',
  initial,
  words = fields,
  refresh,
  adapt = (sent) => sent,
  savedMessage,
  showFailure,
  confirmSave,
  create,
  update,
  onSaved,
}: Options<F>): RecordForm<F> {
  const { announceAct, keep } = useUndo(refresh)
  const declared = withInputs(fields, schema)
  const valuesOf = (of: object): FieldValues<F> => ({
    ...fieldValues(fields, of),
    ...(record ? {} : initial),
  })
  const { record: found, stored, newer } = useRecordSnapshot(record ?? newRecord, valuesOf)
  const bodyOf = (values: object) => adapt(sentOf(declared, values) as Sent<F>)
  const before = bodyOf(stored)
  const { save, dialog } = useMerged<object>({ ...before, ...found }, title, words)

  async function onSave(values: FieldValues<F>): Promise<void> {
    const sent = bodyOf(values)
    if (!record) {
      const answer = await create?.(sent as Sent<F>)
      if (answer) toast.success(textOf(answer))
      return
    }
    await save(
      changesBetween(before, sent),
      async (changes, seen) => {
        const answer = await update?.({ ...changes, ...seen } as Partial<Sent<F>> & Seen)
        if (answer && savedMessage) keep(answer.operation)
        else if (answer) announceAct(textOf(answer), answer.operation)
      },
      form.outdated,
    )
    if (savedMessage) toast.success(savedMessage(values))
  }

  const form: DraftForm<FieldValues<F>> = useDraftForm<FieldValues<F>>({
    name,
    initial: stored,
    newer,
    errorsOf: (values) => fieldErrors(declared, bodyOf(values)),
    onSave,
    ...(showFailure ? { showFailure } : {}),
    ...(confirmSave ? { confirmSave } : {}),
    ...(onSaved ? { onSaved } : {}),
  })
  const described = (of: string) => ({ label: fields[of]!.label, required: isRequired(declared[of]!) })
  return {
    ...form,
    dialog,
    declared,
    at: (of) => ({ form: form.fields, name: of, ...described(of) }),
    control: (of) => ({ ...described(of), ...form.fields.getInputProps(of), 'data-path': of }),
  }
}

const textOf = ({ message, warning }: Answer) => (warning ? `${message} ${warning}` : message)
