import { sql } from 'kysely'
import { kindOfTemplate, type TemplateName, type TemplateVariable } from '#shared/mail-templates.ts'
import { truncate } from '#shared/truncate.ts'
import type { Db } from '#server/db/db.ts'
import { escapeHtml, Html } from '#server/html/html.ts'
import { findSender } from '#server/mail/senders.ts'
import { textPart } from '#server/mail/text-part.ts'
import type { Settings } from '#server/settings/settings.ts'

export interface TemplateText {
  subject: string
  content: string
}

/**
 * Values of a template's variables: text is escaped, and `{{name}}` in it stays as it is; `Html` is not. An empty value of a block leaves out its
 * paragraph.
 */
export type TemplateValues<Kind extends TemplateName> = {
  readonly [Name in Exclude<TemplateVariable<Kind>, SenderVariable>]: string | Html
} & { readonly [Name in SenderVariable]?: string | Html }
/** Variables whose values come from the sender, unless others are given. */
type SenderVariable = 'my_name' | 'signature' | 'product'

interface About {
  product_id?: number | undefined
  staff_id?: number | undefined
}

/** Returns the current text of a kind: the product's, that of all products, or the program's own. */
export async function findTemplate(
  db: Db,
  kind: TemplateName,
  product_id: number | undefined,
): Promise<TemplateText> {
  const { rows } = await sql<TemplateText>`
    select v.subject, v.content from mail_templates t join mail_template_versions v on v.template_id = t.id and v.version = t.version
    where t.kind = ${kind} and t.kind <> 'composer' and (t.product_id is null or t.product_id = ${product_id ?? null}) and t.removed_at is null
    order by t.product_id nulls last limit 1`.execute(db)
  return rows[0] ?? kindOfTemplate(kind)
}

/** Returns an email of a kind, without the frame of its sender. */
export async function writeTemplate<Kind extends TemplateName>(
  db: Db,
  settings: Pick<Settings, 'provider'>,
  kind: Kind,
  values: TemplateValues<Kind>,
  about: About,
): Promise<{ subject: string; html: string; text: string }> {
  const template = await findTemplate(db, kind, about.product_id)
  return fillTemplate(template, { ...(await senderValues(db, settings, about)), ...values })
}

/** Returns the values of the variables that every kind can have. */
export async function senderValues(db: Db, settings: Pick<Settings, 'provider'>, about: About) {
  const { name, product, signature } = await findSender(db, settings, about)
  return { my_name: name, product, signature: signatureHtml(signature) }
}

/** Returns a signature as a paragraph per block of lines. */
export const signatureHtml = (signature: string): Html =>
  new Html(
    signature
      .split(/\n{2,}/)
      .map((block) => block.trim())
      .filter(Boolean)
      .map((block) => `<p>${escapeText(block).replaceAll('\n', '<br />')}</p>`)
      .join(''),
  )

/** Fills in a template. Values are inserted in a single pass, so that no value is read as a variable. */
export function fillTemplate(
  { subject, content }: TemplateText,
  values: Readonly<Record<string, string | Html>>,
): { subject: string; html: string; text: string } {
  const html = content
    .replaceAll(/<p>\{\{(\w+)\}\}<\/p>|\{\{(\w+)\}\}/g, (found, alone?: string, inline?: string) => {
      const value = values[alone ?? inline!]
      if (value === undefined) return found
      if (value instanceof Html)
        return alone !== undefined && !isBlock(value) ? `<p>${value.text}</p>` : value.text
      if (alone !== undefined) return value === '' ? '' : `<p>${escapeText(value)}</p>`
      return escapeText(value)
    })
    .replaceAll('<p></p>', '')
  const filled = subject.replaceAll(/\{\{(\w+)\}\}/g, (found, name: string) => {
    const value = values[name]
    return value === undefined
      ? found
      : value instanceof Html
        ? textPart(value.text)
        : value.replaceAll('{{', '{ {')
  })
  return {
    subject: truncate(filled.replaceAll(/\s+/g, ' ').trim(), 300),
    html,
    text: textPart(html),
  }
}

const isBlock = ({ text }: Html) =>
  text === '' || /^\s*<(p|h\d|ul|ol|table|blockquote|pre|hr|div)[\s/>]/.test(text)

/** Braces are escaped as well, so that a value such as a company’s name is never read as `{{name}}` later. */
const escapeText = (text: string) => escapeHtml(text).replaceAll('{{', '&#123;&#123;')
