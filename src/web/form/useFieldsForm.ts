import type { z } from 'zod'
import type { Fields } from '#shared/field.ts'
import type { UncleanHtml } from '#shared/schemas.ts'
import { isRequired, sentOf, withInputs } from '#web/form/declared.ts'
import { fieldValues, type FieldValues } from '#web/form/fieldValues.ts'
import { useDraftForm, type DraftForm, type DraftOptions } from '#web/form/useDraftForm.ts'

/** Values of a form as requests contain them. */
export type Sent<F extends Fields> = {
  [Name in keyof FieldValues<F>]: F[Name] extends { input: infer Input extends z.ZodType }
    ? UncleanHtml extends z.output<Input>
      ? string
      : z.output<Input>
    : FieldValues<F>[Name]
}

export interface FieldsOptions<F extends Fields> extends Omit<
  DraftOptions<FieldValues<F>>,
  'initial' | 'schema' | 'toSend' | 'onSave'
> {
  /** Declaration of the fields; the form has those that declare an empty value. */
  fields: F
  /** The contract's schema of the values. */
  schema: z.ZodType
  /** Initial values that differ from the declared empty ones. */
  initial?: Partial<FieldValues<F>> | FieldValues<F> | undefined
  /** Returns what is validated and sent, if it differs from the values of the fields. */
  adapt?: ((sent: Sent<F>, values: FieldValues<F>) => object) | undefined
  /** Saves the values; if it throws, the error is shown in the form, and the input stays. */
  onSave: (sent: Sent<F>, values: FieldValues<F>) => Promise<unknown>
}

/** A field's props for its input: those of the declaration, and where its value is. */
interface Place<F extends Fields> {
  form: DraftForm<FieldValues<F>>['fields']
  name: keyof FieldValues<F> & string
  label: string
  required: boolean
}

export interface FieldsForm<F extends Fields> extends DraftForm<FieldValues<F>> {
  /** The fields with the schemas of their values. */
  declared: Fields
  /** Returns the values as requests contain them, including input that is not in the values yet. */
  sent: () => Sent<F>
  /** Returns the props of a field made for forms, such as `OrganizationField`. */
  at: (name: keyof FieldValues<F> & string) => Place<F>
  /** Returns the props of a controlled input, such as `FilesField`: also its value and error. */
  control: (name: keyof FieldValues<F> & string) => {
    label: string
    required: boolean
    'data-path': string
  } & ReturnType<DraftForm<FieldValues<F>>['fields']['getInputProps']>
}

/**
 * Form of declared fields: initial values, labels, required marks, lengths, and what is sent derive from their
 * declaration and the contract's schema. For values of a record that others change too, see `useRecordForm`.
 */
export function useFieldsForm<F extends Fields>({
  fields,
  schema,
  initial,
  adapt = (sent) => sent,
  onSave,
  ...rest
}: FieldsOptions<F>): FieldsForm<F> {
  const declared = withInputs(fields, schema)
  const sentFrom = (values: object) => sentOf(declared, values) as Sent<F>
  const form: DraftForm<FieldValues<F>> = useDraftForm<FieldValues<F>>({
    ...rest,
    initial: { ...fieldValues(fields), ...initial },
    schema,
    toSend: (values) => adapt(sentFrom(values), values),
    onSave: (values) => onSave(sentFrom(values), values),
  })
  const described = (of: string) => ({ label: fields[of]!.label, required: isRequired(declared[of]!) })
  return {
    ...form,
    declared,
    sent: () => {
      form.inner.flushPendingInput()
      return sentFrom(form.fields.getValues())
    },
    at: (of) => ({ form: form.fields, name: of, ...described(of) }),
    control: (of) => ({ ...described(of), ...form.fields.getInputProps(of), 'data-path': of }),
  }
}
