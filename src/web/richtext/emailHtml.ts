/** A file of an email that its text may show. */
export interface InlineImage {
  id: number
  name: string
  url: string
  kind: string
}

/**
 * Returns an email's HTML in which style sheets are not in comments, as Outlook writes them: the cleaner
 * removes style elements with such markup.
 */
export const uncommentStyles = (html: string): string =>
  html.replaceAll(/(<style\b[^>]*>)\s*<!--/gi, '$1').replaceAll(/-->\s*(<\/style>)/gi, '$1')

/**
 * Returns an email's HTML in which images that it refers to by their content ID show the attached files. Emails
 * that were received without content IDs are searched by name: the ID usually begins with the name of the file,
 * and a single image is found without it. An image that could be another one isn't shown.
 */
export function showInlineImages(html: string, files: readonly InlineImage[]): string {
  const images = files.filter(({ kind }) => kind === 'image')
  if (images.length === 0 || !/src="cid:/i.test(html)) return html
  const page = new DOMParser().parseFromString(html, 'text/html')
  const shown = [...page.querySelectorAll<HTMLImageElement>('img[src^="cid:" i]')]
  const sources = new Map<InlineImage, Set<string>>()
  const found = shown.map((image) => {
    const source = image.getAttribute('src')!
    const file = savedFile(source, images) ?? namedFile(source, image.alt, images) ?? onlyFile(shown, images)
    if (file) sources.set(file, (sources.get(file) ?? new Set()).add(source))
    return file
  })
  for (const [index, image] of shown.entries()) {
    const file = found[index]
    if (file && sources.get(file)!.size === 1)
      image.setAttribute('src', new URL(file.url, location.origin).href)
  }
  return page.documentElement.outerHTML
}

/** Returns the file that a received email names itself (`cid:file-…`). */
function savedFile(source: string, images: readonly InlineImage[]): InlineImage | undefined {
  const id = Number(/^cid:file-(\d+)$/i.exec(source)?.[1])
  return images.find((one) => one.id === id)
}

function namedFile(source: string, alt: string, images: readonly InlineImage[]): InlineImage | undefined {
  const [id = ''] = source.slice(4).split('@')
  const named = (name: string) => images.filter((one) => one.name.toLowerCase() === name.toLowerCase())
  const [first, ...others] = named(id).length > 0 ? named(id) : named(alt)
  return others.length === 0 ? first : undefined
}

const onlyFile = (shown: readonly HTMLImageElement[], images: readonly InlineImage[]) =>
  images.length === 1 && new Set(shown.map(({ src }) => src)).size === 1 ? images[0] : undefined

/** Returns an email's HTML in which images on other servers show what the panel loaded, by their addresses. */
export function showLoadedImages(html: string, loaded: ReadonlyMap<string, string>): string {
  if (loaded.size === 0) return html
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const image of page.querySelectorAll<HTMLImageElement>('img[src]')) {
    const data = loaded.get(image.getAttribute('src')!)
    if (data !== undefined) image.setAttribute('src', data)
    image.removeAttribute('srcset')
  }
  return page.documentElement.outerHTML
}

/**
 * Returns an email's HTML in which images on other servers, which are never fetched, are replaced by their
 * descriptions; images without one, such as tracking pixels, are left out.
 */
export function hideRemoteImages(html: string): string {
  if (!/<img\b[^>]*\ssrc="(?:https?:)?\/\//i.test(html)) return html
  const page = new DOMParser().parseFromString(html, 'text/html')
  const panel = new URL('/api/files/', location.origin).href
  for (const image of page.querySelectorAll<HTMLImageElement>('img[src^="http" i], img[src^="//"]'))
    if (!image.getAttribute('src')!.startsWith(panel)) {
      const words = image.alt.trim()
      image.replaceWith(words === '' ? '' : `[Image not loaded: ${words}]`)
    }
  return page.documentElement.outerHTML
}

/** Returns an email's HTML in which images that came without their file are replaced by their descriptions. */
export function nameMissingImages(html: string): string {
  if (!/<img\b[^>]*\ssrc="cid:/i.test(html)) return html
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const image of page.querySelectorAll<HTMLImageElement>('img[src^="cid:" i]'))
    image.replaceWith(`[Image missing${image.alt.trim() === '' ? '' : `: ${image.alt.trim()}`}]`)
  return page.documentElement.outerHTML
}

/** Elements in which Gmail, Apple Mail, Thunderbird, Yahoo, and Proton quote. */
const quoteElements = '.gmail_quote, .yahoo_quoted, .protonmail_quote, blockquote'
/** What Outlook puts above an earlier message, which is everything that follows. */
const outlookHeads = '#divRplyFwdMsg, [style^="border:none;border-top:solid"]'

/** Returns an email's HTML in which the quoted earlier messages are folded. */
export function foldQuotes(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html')
  gatherOutlookQuote(page)
  gatherPlainQuote(page)
  const quotes = [...page.querySelectorAll(`${quoteElements}, [data-quote]`)]
  const outer = quotes.filter(
    (quote) => !quotes.some((other) => other !== quote && other.contains(quote)) && !hasAnswers(quote),
  )
  // A message that consists of a quote only is shown.
  const rest = page.body.cloneNode(true) as HTMLElement
  for (const quote of rest.querySelectorAll(`${quoteElements}, [data-quote], style`)) quote.remove()
  if (outer.length === 0 || rest.textContent.trim() === '') return html
  for (const quote of outer) {
    const fold = page.createElement('details')
    const summary = page.createElement('summary')
    summary.textContent = 'Show quoted text'
    quote.replaceWith(fold)
    fold.append(summary, quote)
  }
  return page.documentElement.outerHTML
}

/** Whether the sender wrote between the parts of a quote, or below them, in the element that Gmail puts around them. */
function hasAnswers(quote: Element): boolean {
  const first = quote.matches('blockquote') ? null : quote.querySelector('blockquote')
  if (!first) return false
  const texts = document.createTreeWalker(quote, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const isBelow = first.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING
    if (isBelow && textOf([text]) !== '' && !text.parentElement!.closest('blockquote, style')) return true
  }
  return false
}

/** Moves the message that Outlook quotes, with its header, into one element. */
function gatherOutlookQuote(page: Document): void {
  const head = [...page.querySelectorAll(outlookHeads)].find(
    // The header has at least From, Sent, and Subject in bold.
    (element) => element.querySelectorAll('b').length >= 3,
  )
  if (!head) return
  let first = head
  while (first.parentElement!.childElementCount === 1 && first.parentElement !== page.body)
    first = first.parentElement!
  for (const above of [first.previousElementSibling, first.previousElementSibling?.previousElementSibling])
    if (above?.matches('hr, #appendonsend')) above.remove()
  const quote = page.createElement('div')
  quote.dataset['quote'] = ''
  first.before(quote)
  while (quote.nextSibling) quote.append(quote.nextSibling)
}

/** Moves the lines with “>” at the end of a plain text email, and the line that introduces them, into one element. */
function gatherPlainQuote(page: Document): void {
  const quote = page.createElement('div')
  quote.dataset['quote'] = ''
  for (const paragraph of [...page.body.querySelectorAll(':scope > p')].toReversed()) {
    const lines = linesOf(paragraph)
    let first = lines.length
    while (first > 0 && textOf(lines[first - 1]!).startsWith('>')) first -= 1
    if (first === lines.length && !quote.hasChildNodes()) return
    if (first > 0 && textOf(lines[first - 1]!).endsWith(':')) first -= 1
    const moved = page.createElement('p')
    moved.append(...lines.slice(first).flat())
    if (moved.hasChildNodes()) quote.prepend(moved)
    if (first > 0) break
    paragraph.remove()
  }
  if (quote.hasChildNodes()) page.body.append(quote)
}

/** Returns the nodes of each line, with the line break before it. */
function linesOf(paragraph: Element): Node[][] {
  const lines: Node[][] = [[]]
  for (const node of paragraph.childNodes)
    if (node.nodeName === 'BR') lines.push([node])
    else lines.at(-1)!.push(node)
  return lines
}

const textOf = (nodes: readonly Node[]) =>
  nodes
    .map(({ textContent }) => textContent)
    .join('')
    .trim()

const light = 'body{background:transparent;color:#1c1c21}a{color:#4341c4}'
const dark = 'body{background:#17171b;color:#e8e8ec}a{color:#a9aef8}'
/** Inverts the email's own colors, but not its images. The filter makes the surface the panel's. */
const inverted =
  'html{filter:invert(1) hue-rotate(180deg);background:#e7e7eb}body{background:#e7e7eb;color:#17171b}img,video{filter:invert(1) hue-rotate(180deg)}'

/**
 * Returns the styles that make an email readable in the current theme. In the dark theme, an email with its
 * own colors is inverted, unless it is dark itself.
 */
export function colorsFor(html: string, isDark: boolean): string {
  if (!isDark) return light
  const hasColors = /(?:\bcolor|background(?:-color)?)\s*:|\b(?:bgcolor|color)\s*=/i.test(html)
  return hasColors && !isDarkItself(html) ? inverted : dark
}

function isDarkItself(html: string): boolean {
  const tag = /<body\b[^>]*>/i.exec(html)?.[0]
  const color =
    tag &&
    /(?:bgcolor\s*=\s*["']?|background(?:-color)?\s*:)\s*(#[\da-f]{3,6}|rgb\([^)]*\)|black)/i.exec(tag)?.[1]
  if (!color) return false
  if (color.toLowerCase() === 'black') return true
  const parts = color.startsWith('#')
    ? (color.length < 7 ? color.replaceAll(/[\da-f]/gi, '$&$&') : color)
        .match(/[\da-f]{2}/gi)!
        .map((digits) => Number.parseInt(digits, 16))
    : color.match(/\d+/g)!.map(Number)
  return Math.max(...parts.slice(0, 3)) < 96
}
