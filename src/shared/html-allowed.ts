/*
 * What rich text may hold, said once: the server cleans by it what it saves, the browser what it shows, and the editor makes nothing else.
 */

const none: readonly string[] = []
const cell = ['colspan', 'rowspan']

/** Tags with their attributes. No style, class or id: a text looks as the panel does. */
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
  // Only a file of ours, and only somebody who is mentioned: see below.
  img: ['data-file-id', 'alt', 'width', 'height'],
  span: ['data-mention'],
}

/** Other names of the same. */
export const sameTags: Readonly<Record<string, string>> = { b: 'strong', i: 'em', strike: 's', del: 's', ins: 'u', tfoot: 'tbody' }

/** Tags that go with what stands in them. */
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

/** http, https, mailto and tel, written out: nothing that is read against the address of a page. */
export const isAllowedLink = (href: string): boolean => /^(https?:\/\/|mailto:|tel:)[^\s\p{Cc}]+$/iu.test(href)

/** The address of a stored file, as it stands in a text that was copied out of the panel. */
const fileAddress = /^(?:https?:\/\/[^/]+)?\/api\/files\/([1-9]\d{0,9})(?:\?|$)/

export const isCount = (text: string | undefined): text is string => /^[1-9]\d{0,9}$/.test(text ?? '')

/** The file that a picture shows; undefined where it is none of ours. */
export function fileOfImage(attributes: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = attributes['data-file-id']
  return isCount(named) ? named : fileAddress.exec(attributes['src'] ?? '')?.[1]
}
