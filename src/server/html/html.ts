/*
 * The only way that server code builds HTML: tags are written in code, values are escaped, and links point
 * only to the panel.
 */

/** HTML built by this module; every other value in a template is text and gets escaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
}

/** Escapes a string for HTML. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

type Value = string | number | Html | readonly Html[]

/** Builds HTML as in `html\`<p>${name}</p>\``: values are escaped unless they are `Html` themselves. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  const written = values.map((value) =>
    value instanceof Html
      ? value.text
      : Array.isArray(value)
        ? value.map(({ text }: Html) => text).join('')
        : escapeHtml(String(value)),
  )
  return new Html(parts.reduce((all, part, index) => all + written[index - 1]! + part))
}

/**
 * Converts text to paragraphs, split at blank lines. Line breaks are kept, and only the panel's own URLs
 * become links.
 */
export function paragraphs(text: string, publicUrl: string | undefined): Html[] {
  return text
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
    .map((paragraph) => {
      // Whitespace inside the element would become part of the text.
      const lines = paragraph
        .split('\n')
        .flatMap((line, index) => [...(index ? [html`<br />`] : []), linked(line, publicUrl)])
      return html`<p>${lines}</p>`
    })
}

function linked(line: string, publicUrl: string | undefined): Html {
  if (publicUrl === undefined || !line.includes(publicUrl)) return html`${line}`
  const pieces = line
    .split(/(\s+)/)
    .map((word) => (isOurs(word, publicUrl) ? html`<a href="${word}">${word}</a>` : html`${word}`))
  return html`${pieces}`
}

/**
 * Returns whether a word is one of the panel's own URLs; `https://panel.example.com.evil.test` is not,
 * although it starts like one.
 */
function isOurs(word: string, publicUrl: string): boolean {
  return URL.canParse(word) && new URL(word).origin === publicUrl && !new URL(word).username
}
