/*
 * The one way in which HTML of ours is made: tags stand in the code, values are escaped, addresses are ours.
 */

/** HTML that was put together here; everything else that goes into a template is text and is escaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
}

/** A text as HTML shows it. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')

type Value = string | number | Html | readonly Html[]

/** `html\`<p>${name}</p>\``: values are escaped, unless they were made the same way. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  const written = values.map((value) =>
    value instanceof Html ? value.text : Array.isArray(value) ? value.map(({ text }: Html) => text).join('') : escapeHtml(String(value)),
  )
  return new Html(parts.reduce((all, part, index) => all + written[index - 1]! + part))
}

/** A text as paragraphs: blank lines part them, line breaks stay; a link only where an address of the panel stands. */
export function paragraphs(text: string, publicUrl: string | undefined): Html[] {
  return text
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
    .map(
      (paragraph) =>
        html`<p>${paragraph.split('\n').flatMap((line, index) => (index ? [html`<br />`, linked(line, publicUrl)] : [linked(line, publicUrl)]))}</p>`,
    )
}

function linked(line: string, publicUrl: string | undefined): Html {
  if (publicUrl === undefined || !line.includes(publicUrl)) return html`${line}`
  const pieces = line.split(/(\s+)/).map((word) => (isOurs(word, publicUrl) ? html`<a href="${word}">${word}</a>` : html`${word}`))
  return html`${pieces}`
}

/** `https://panel.example.com.evil.test` begins like ours and is not. */
function isOurs(word: string, publicUrl: string): boolean {
  return URL.canParse(word) && new URL(word).origin === publicUrl && !new URL(word).username
}

/** A whole page for a mail: narrow, plain, the same in each mail program. */
export function mailPage(title: string, content: readonly Html[]): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
      </head>
      <body
        style="margin:0;padding:24px;background:#ffffff;color:#1f2328;font:15px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;overflow-wrap:anywhere"
      >
        <div style="max-width:600px">${content}</div>
      </body>
    </html>`.text
}
