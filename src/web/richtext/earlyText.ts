/*
 * A composer's text is typed into a plain field until its editor has loaded. It joins what the form already has:
 * a draft, the text of an undone message, or the signature of an email.
 */

const emptyLine = '<p></p>'

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/**
 * Returns plain text as HTML, with a paragraph per line. HTML would drop spaces at the ends of a line, and
 * repeated ones.
 */
export const htmlOf = (text: string) =>
  text === ''
    ? ''
    : text
        .split('\n')
        .map((line) => `<p>${escaped(line.replaceAll(/^ | (?= |$)/g, '\u00A0'))}</p>`)
        .join('')

/** Whether text is typed above the HTML, which begins with an empty line for it; otherwise, it is typed below. */
const isTypedAbove = (before: string) => before.startsWith(emptyLine)

/** Returns the form's HTML together with the typed text. */
export function withTyped(before: string, typed: string): string {
  if (typed === '') return before
  return isTypedAbove(before) ? htmlOf(typed) + before.slice(emptyLine.length) : before + htmlOf(typed)
}

/** Returns the form's HTML without the typed text; undefined if that text is not at an end of it. */
export function withoutTyped(value: string, typed: string): string | undefined {
  const own = htmlOf(typed)
  const rests = []
  if (value.endsWith(own)) rests.push(value.slice(0, value.length - own.length))
  if (value.startsWith(own)) rests.push(emptyLine + value.slice(own.length))
  return rests.find((before) => withTyped(before, typed) === value)
}

/** A selection in the editor's document, where a paragraph takes two positions more than its text. */
export interface Selected {
  /** Positions within the typed text. */
  from: number
  to: number
  /** The positions that the typed text takes at the end of the document; undefined if it is at the start. */
  sizeAtEnd: number | undefined
}

const linesIn = (text: string) => text.split('\n').length

/** Returns where the selection of the plain field is in the editor. */
export function selectedIn(before: string, text: string, start: number, end: number): Selected {
  const position = (offset: number) => offset + linesIn(text.slice(0, offset))
  const size = text === '' ? 0 : text.length + linesIn(text) + 1
  return { from: position(start), to: position(end), sizeAtEnd: isTypedAbove(before) ? undefined : size }
}
