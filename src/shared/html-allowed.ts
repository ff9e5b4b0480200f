/*
 * Content allowed in rich text, defined once: the server uses it to sanitize what it saves, the browser to
 * sanitize what it shows, and the editor produces nothing else.
 */

const none: readonly string[] = []
const cell = ['colspan', 'rowspan']

/**
 * Tags with their allowed attributes. Style, class, and id are not allowed, so that rich text looks like the
 * rest of the panel.
 */
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
  // Only for stored files and user mentions; see below.
  img: ['data-file-id', 'alt', 'width', 'height'],
  span: ['data-mention'],
}

/** Tags that are replaced by an equivalent allowed tag. */
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

/**
 * Returns whether a link is an absolute http or https URL, a mailto or tel link, or a reference to a post
 * (`post:12`); anything that would be resolved against a page's URL is rejected.
 */
export const isAllowedLink = (href: string): boolean =>
  /^((https?:\/\/|mailto:|tel:)[^\s\p{Cc}]+|post:[1-9]\d{0,8})$/iu.test(href)

/** Beginning of a link to a post in sanitized HTML; the first group is the post's ID. */
export const postLink = /<a href="post:(\d+)"/gi

/** URL of a stored file, as found in content copied from the panel. */
const fileAddress = /^(?:https?:\/\/[^/]+)?\/api\/files\/([1-9]\d{0,9})(?:\?|$)/

export const isCount = (text: string | undefined): text is string => /^[1-9]\d{0,9}$/.test(text ?? '')

/** Returns the ID of the file that an image shows; undefined if the image is not a stored file. */
export function fileOfImage(attributes: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = attributes['data-file-id']
  return isCount(named) ? named : fileAddress.exec(attributes['src'] ?? '')?.[1]
}
