/*
 * Allowed content of rich text, defined once: the server cleans what it saves by it, the browser what it shows, and the editor produces nothing else.
 */

const none: readonly string[] = []
const cell = ['colspan', 'rowspan']

/** Tags with their attributes. No style, class or id: a text looks like the rest of the panel. */
export const allowedTags: Readonly<Record<string, readonly string[]>> = {
  p: none,
  br: none,
  hr: none,
  h1: none,
  h2: none,
  h3: none,
  h4: none,
  h5: none,
  h6: none,
  strong: none,
  em: none,
  u: none,
  s: none,
  code: none,
  pre: none,
  blockquote: none,
  ul: none,
  ol: ['start'],
  li: none,
  a: ['href'],
  table: none,
  thead: none,
  tbody: none,
  tr: none,
  th: cell,
  td: cell,
  // Stored files and mentioned people only; see below.
  img: ['data-file-id', 'alt', 'width', 'height'],
  span: ['data-mention'],
}

/** Synonyms of allowed tags. */
export const sameTags: Readonly<Record<string, string>> = {
  b: 'strong',
  i: 'em',
  strike: 's',
  del: 's',
  ins: 'u',
  tfoot: 'tbody',
}

/** Tags that are dropped together with their content. */
export const droppedWhole = [
  'script',
  'style',
  'textarea',
  'option',
  'noscript',
  'iframe',
  'object',
  'svg',
  'math',
  'template',
  'title',
  'head',
  'xmp',
  'noembed',
  'noframes',
  'plaintext',
]

export const deepest = 100

/** Returns whether a link is a complete http, https, mailto or tel one: nothing that is resolved against a page's address. */
export const isAllowedLink = (href: string): boolean =>
  /^(https?:\/\/|mailto:|tel:)[^\s\p{Cc}]+$/iu.test(href)

/** Address of a stored file, as in a text that was copied from the panel. */
const fileAddress = /^(?:https?:\/\/[^/]+)?\/api\/files\/([1-9]\d{0,9})(?:\?|$)/

export const isCount = (text: string | undefined): text is string => /^[1-9]\d{0,9}$/.test(text ?? '')

/** Returns the id of the file that a picture shows; undefined if we do not store it. */
export function fileOfImage(attributes: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = attributes['data-file-id']
  return isCount(named) ? named : fileAddress.exec(attributes['src'] ?? '')?.[1]
}
