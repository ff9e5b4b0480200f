import type { StoredWebForm, WebFormInput } from '#features/crm/leads/web-form/contract.ts'
import type { DraftForm } from '#web/form/useDraftForm.ts'

/** The settings of a web form as its fields hold them. */
export type WebFormValues = Omit<WebFormInput, 'staff_ids' | 'source'> & {
  staff_ids: string[]
  source: string
}
export type WebFormFields = DraftForm<WebFormValues>['fields']

export const valuesOf = (form: StoredWebForm): WebFormValues => ({
  is_on: form.is_on,
  slug: form.slug,
  title: form.title,
  intro: form.intro,
  thanks: form.thanks,
  button: form.button,
  fields: form.fields,
  consent: form.consent,
  origins: form.origins,
  staff_ids: form.staff_ids.map(String),
  source: form.source ?? '',
})

export const toSend = ({ staff_ids, source, ...values }: WebFormValues): WebFormInput => ({
  ...values,
  staff_ids: staff_ids.map(Number),
  source: source === '' ? null : source,
})

/** Returns the props of a field that holds a list; the error of one entry is shown at the list. */
export function listProps(fields: WebFormFields, path: 'origins' | 'staff_ids') {
  const nested = Object.entries(fields.errors).find(([key]) => key.startsWith(`${path}.`))?.[1]
  const props = fields.getInputProps(path)
  return { ...props, error: props.error ?? nested, 'data-path': path }
}
