import { fileOfImage, sameTags } from '#shared/html-allowed.ts'

/** A cleaned paste, and the kinds of content that were dropped. */
export interface Pasted {
  html: string
  dropped: string[]
}

/**
 * Reduces clipboard content from Word, Google Docs, and web pages to plain HTML: headings, lists, links,
 * tables, and emphasis stay, even if they are expressed as styles; anything that the panel does not keep is
 * dropped and reported.
 */
export function fromPasted(pasted: string): Pasted {
  const page = new DOMParser().parseFromString(pasted, 'text/html')
  const { body } = page
  const dropped = new Set<string>()
  if (body.querySelector('script, iframe, object, embed, form, video, audio, svg'))
    dropped.add('embedded content')
  for (const node of body.querySelectorAll(
    'script, style, iframe, object, embed, video, audio, svg, meta, link, title, xml',
  ))
    node.remove()
  // Google Docs wraps everything in a `b` element that is not bold. Word's proprietary font weight properties
  // (`mso-bidi-font-weight`) can be ignored.
  unwrap(
    [...body.querySelectorAll<HTMLElement>('b')].filter(
      ({ id, style }) => id.startsWith('docs-internal-guid') || style.fontWeight === 'normal',
    ),
  )
  wordLists(body)
  for (const node of body.querySelectorAll<HTMLElement>('p.MsoTitle')) rename(node, 'h1')

  for (const [tag, other] of Object.entries(sameTags))
    for (const node of body.querySelectorAll<HTMLElement>(tag)) rename(node, other)

  for (const node of body.querySelectorAll<HTMLElement>('[style]')) {
    const { style } = node
    if (style.color || style.backgroundColor || style.background) dropped.add('colors')
    if (style.fontFamily || style.fontSize) dropped.add('fonts')
    if (style.textAlign && !['left', 'start'].includes(style.textAlign)) dropped.add('alignment')
    if (node.tagName !== 'SPAN') continue
    if (Number(style.fontWeight) >= 600 || style.fontWeight === 'bold') wrap(node, 'strong')
    if (style.fontStyle === 'italic') wrap(node, 'em')
    // Links are underlined anyway.
    if (
      !node.closest('a') &&
      (style.textDecorationLine.includes('underline') || style.textDecoration.includes('underline'))
    )
      wrap(node, 'u')
    if (style.textDecorationLine.includes('line-through') || style.textDecoration.includes('line-through'))
      wrap(node, 's')
  }
  for (const node of body.querySelectorAll('img')) {
    if (
      fileOfImage({ 'data-file-id': node.dataset['fileId'], src: node.getAttribute('src') ?? undefined }) !==
      undefined
    )
      continue
    dropped.add('images (add them one at a time)')
    node.remove()
  }
  unwrap(
    body.querySelectorAll(
      'a[href]:not([href^="http" i], [href^="mailto:" i], [href^="tel:" i], [href^="post:" i])',
    ),
  )
  blankLines(body)
  return { html: body.innerHTML, dropped: [...dropped] }
}

const block = 'p, h1, h2, h3, h4, h5, h6, ul, ol, table, blockquote, pre, div'

/** Removes the blank lines that Word and Google Docs use as spacing, and what is left of removed images. */
function blankLines(body: HTMLElement): void {
  for (const node of body.querySelectorAll('br'))
    if (node.previousElementSibling?.matches(block) && !wordsBefore(node)) node.remove()
  for (const node of body.querySelectorAll('p'))
    if (!node.closest('li, td, th') && node.textContent.trim() === '' && !node.querySelector('img'))
      node.remove()
}

const wordsBefore = ({ previousSibling: before }: Node) =>
  before?.nodeType === Node.TEXT_NODE && before.textContent?.trim() !== ''

/**
 * Rebuilds lists: Word puts no list elements on the clipboard, only paragraphs that look like list items,
 * with a level and a bullet.
 */
function wordLists(body: HTMLElement): void {
  let open: { list: HTMLElement; level: number }[] = []
  for (const node of body.querySelectorAll<HTMLElement>('p')) {
    const style = node.getAttribute('style') ?? ''
    const level = Number(/mso-list:[^;]*level(\d)/i.exec(style)?.[1] ?? 0)
    if (level === 0) {
      open = []
      continue
    }
    const sign = [...node.querySelectorAll<HTMLElement>('span')].find((one) =>
      /mso-list:\s*Ignore/i.test(one.getAttribute('style') ?? ''),
    )
    const isNumbered = /^\s*(\d+|[a-z]|[ivx]+)[.)]/i.test(sign?.textContent ?? '')
    sign?.remove()
    if (open.length && node.previousElementSibling !== open[0]!.list) open = []
    while (open.length && open.at(-1)!.level > level) open.pop()
    if (open.at(-1)?.level !== level) {
      const list = body.ownerDocument.createElement(isNumbered ? 'ol' : 'ul')
      const above = open.at(-1)?.list.lastElementChild
      if (above) above.append(list)
      else node.before(list)
      open.push({ list, level })
    }
    open.at(-1)!.list.append(childrenIn('li', node))
    node.remove()
  }
}

function unwrap(nodes: Iterable<Element>): void {
  for (const node of nodes) node.replaceWith(...node.childNodes)
}

const wrap = (node: HTMLElement, tag: string): void => node.append(childrenIn(tag, node))

const rename = (node: HTMLElement, tag: string): void => node.replaceWith(childrenIn(tag, node))

/** Moves a node's children into a new element and returns that element. */
function childrenIn(tag: string, node: HTMLElement): HTMLElement {
  const element = node.ownerDocument.createElement(tag)
  element.append(...node.childNodes)
  return element
}
