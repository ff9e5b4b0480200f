import { linkPatterns } from '#web/stream/linkPatterns.ts'

/** Elements whose text has no links added. */
const withoutLinks = 'a, style, script, pre, code, title'

/**
 * Returns HTML in which addresses and numbers such as #145 are links.
 * @param addressOf returns the address of the record with a number; undefined if the viewer can't open it
 */
export function withLinks(html: string, addressOf: (number: number) => string | undefined): string {
  const pattern = new RegExp(`(${linkPatterns.join('|')})`)
  if (!pattern.test(html)) return html
  const page = new DOMParser().parseFromString(html, 'text/html')
  const texts = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT)
  const found: Text[] = []
  while (texts.nextNode()) {
    const text = texts.currentNode as Text
    if (pattern.test(text.data) && !text.parentElement?.closest(withoutLinks)) found.push(text)
  }
  for (const text of found) text.replaceWith(...linksIn(page, text.data.split(pattern), addressOf))
  return html.trimStart().startsWith('<html') || page.head.childNodes.length > 0
    ? page.documentElement.outerHTML
    : page.body.innerHTML
}

const linksIn = (
  page: Document,
  parts: readonly string[],
  addressOf: (number: number) => string | undefined,
) =>
  parts.map((part, at) => {
    // Every second part is a match.
    if (at % 2 === 0) return part
    const address = part.startsWith('#') ? addressOf(Number(part.slice(1))) : part
    if (address === undefined) return part
    const link = page.createElement('a')
    link.href = address
    link.textContent = part
    if (!part.startsWith('#')) {
      link.target = '_blank'
      link.rel = 'noopener noreferrer'
    }
    return link
  })
