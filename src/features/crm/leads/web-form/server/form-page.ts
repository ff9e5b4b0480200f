import { formFields, type FormFieldName } from '#features/crm/leads/web-form/rules.ts'
import type { FormField } from '#features/crm/leads/web-form/contract.ts'
import { isWebAddress } from '#shared/schemas.ts'
import { html, paragraphs, type Html } from '#server/html/html.ts'
import type { HtmlPage } from '#server/http/page.ts'
import { pageStyles } from '#features/crm/leads/web-form/server/page-styles.ts'

/** A form as its page shows it. */
export interface ShownForm {
  title: string
  intro: string
  button: string
  fields: readonly FormField[]
  consent: string
  product: string
  origins: readonly string[]
}

/** The input of a visitor, as it was typed, with its errors. */
export interface Typed {
  values: Partial<Record<FormFieldName, string>>
  hasAgreed: boolean
  errors: Partial<Record<FormFieldName | 'consent', string>>
  /** An error of the whole form. */
  failure?: string
}

export interface PageOptions {
  isEmbedded: boolean
  /** Says when the page was opened. */
  stamp: string
  /** The query of the page’s address, which names the campaign. */
  search: string
}

/** The name of the field that people don’t see; programs that fill in every field fill it in too. */
export const hiddenField = 'fax_number'
export const stampField = 'opened'
export const consentField = 'consent'

export const emptyForm: Typed = { values: {}, hasAgreed: false, errors: {} }

/** Returns the page of a form: empty, or with what a visitor sent. */
export function formPage(
  form: ShownForm,
  typed: Typed,
  { isEmbedded, stamp, search }: PageOptions,
): HtmlPage {
  const isRefused = Object.keys(typed.errors).length > 0
  const failure =
    typed.failure ?? (isRefused ? 'This form wasn’t sent. Correct the fields below.' : undefined)
  return page(form, failure === undefined ? form.title : `Error: ${form.title}`, isEmbedded, [
    ...paragraphs(form.intro, undefined),
    ...(failure === undefined ? [] : [html`<p role="alert" class="failure">${failure}</p>`]),
    html`<form method="post" action="?${search}">
      ${form.fields.map((field) => inputOf(field, typed))}
      <div class="trap" aria-hidden="true">
        <label>Leave this field empty <input name="${hiddenField}" tabindex="-1" autocomplete="off" /></label>
      </div>
      <input type="hidden" name="${stampField}" value="${stamp}" />
      ${form.consent === '' ? [] : [consentOf(form.consent, typed)]}
      <button>${form.button}</button>
    </form>`,
  ])
}

/** Returns the page that visitors see after they sent the form, or that says why they can’t. */
export const messagePage = (form: ShownForm, words: string, isEmbedded: boolean): HtmlPage =>
  page(form, form.title, isEmbedded, [html`<div role="status">${paragraphs(words, undefined)}</div>`])

const page = (form: ShownForm, title: string, isEmbedded: boolean, content: readonly Html[]): HtmlPage => ({
  title,
  frames: form.origins,
  styles: pageStyles,
  content: html`<div class="${isEmbedded ? 'embedded' : 'hosted'}">
    ${isEmbedded ? [] : [html`<p class="product">${form.product}</p>`]}
    <h1>${form.title}</h1>
    ${content}
  </div>`,
})

function inputOf({ field, label, required }: FormField, { values, errors }: Typed): Html {
  const { type, autoComplete, max } = formFields[field]
  const id = `field-${field}`
  const error = errors[field]
  const value = values[field] ?? ''
  const state = [
    ...(required ? [html`required`] : []),
    ...(error === undefined ? [] : [html` aria-invalid="true" aria-describedby="${id}-error"`]),
  ]
  const input =
    type === 'area'
      ? html`<textarea id="${id}" name="${field}" rows="4" maxlength="${max}" ${state}>${value}</textarea>`
      : html`<input
          id="${id}"
          name="${field}"
          type="${type}"
          maxlength="${max}"
          autocomplete="${autoComplete}"
          value="${value}"
          ${state}
        />`
  return html`<div class="field${type === 'area' ? ' wide' : ''}">
    <label for="${id}"
      >${label}${required ? [html` <span class="required" aria-hidden="true">*</span>`] : []}</label
    >
    ${input} ${errorOf(id, error)}
  </div>`
}

const errorOf = (id: string, error: string | undefined): Html[] =>
  error === undefined ? [] : [html`<p class="error" id="${id}-error">${error}</p>`]

function consentOf(consent: string, { hasAgreed, errors }: Typed): Html {
  const error = errors.consent
  return html`<div class="field wide">
    <label class="consent">
      <input
        type="checkbox"
        name="${consentField}"
        value="yes"
        required
        ${hasAgreed ? 'checked' : ''}
        ${error === undefined ? [] : [html`aria-invalid="true" aria-describedby="field-consent-error"`]}
      />
      <span>${withLinks(consent)}</span>
    </label>
    ${errorOf('field-consent', error)}
  </div>`
}

/** Returns a text whose web addresses, such as that of a privacy notice, are links. */
const withLinks = (text: string): Html[] =>
  text.split(/(\s+)/).map((word) => {
    const [, address = '', rest = ''] = /^(.*?)([.,;:!?)]*)$/s.exec(word) ?? []
    return isWebAddress(address)
      ? html`<a href="${address}" target="_blank" rel="noopener noreferrer">${address}</a>${rest}`
      : html`${word}`
  })
