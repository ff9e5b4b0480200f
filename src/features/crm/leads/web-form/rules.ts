import { leadFields } from '#features/crm/leads/fields.ts'

/** The fields that a web form can ask for: those of a lead, and a message, which becomes the first note. */
export const formFields = {
  contactName: { label: leadFields.contactName.label, autoComplete: 'name', type: 'text', max: 200 },
  email: { label: leadFields.email.label, autoComplete: 'email', type: 'email', max: 254 },
  companyName: { label: leadFields.companyName.label, autoComplete: 'organization', type: 'text', max: 200 },
  phone: { label: leadFields.phone.label, autoComplete: 'tel', type: 'tel', max: 60 },
  country: { label: leadFields.country.label, autoComplete: 'country-name', type: 'text', max: 80 },
  company_url: { label: leadFields.company_url.label, autoComplete: 'url', type: 'text', max: 2000 },
  message: { label: 'First note', autoComplete: 'off', type: 'area', max: 4000 },
} as const
export type FormFieldName = keyof typeof formFields
export const formFieldNames = Object.keys(formFields) as FormFieldName[]

/** Why an entry is held as spam. */
export const heldReasons = {
  hidden_field: 'Filled in the hidden field',
  too_fast: 'Sent within 3 seconds',
  no_time: 'Sent without opening the page, or a week after it',
} as const

export const daysHeld = 90
/** How often one network address can send a form. */
export const mostPerHour = 5

/**
 * Returns a website as an origin, such as `https://www.example.com`; undefined if it isn't one. Only a website on the
 * same machine can do without encryption.
 */
export function originOf(typed: string): string | undefined {
  const address = /^https?:\/\//i.test(typed) ? typed : `https://${typed}`
  if (!URL.canParse(address)) return undefined
  const { origin, username } = new URL(address)
  const isWebsite =
    /^https:\/\/[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?$/.test(origin) || /^http:\/\/localhost(:\d+)?$/.test(origin)
  return isWebsite && username === '' ? origin : undefined
}

/** Returns the code with which a website shows a form. */
export function embedCode(address: string, title: string): string {
  const attribute = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<iframe src="${attribute(address)}?embed=1" title="${attribute(title)}" style="width: 100%; height: 720px; border: 0" loading="lazy"></iframe>`
}
