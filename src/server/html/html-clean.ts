import sanitize from 'sanitize-html'
import type { UncleanHtml } from '#shared/schemas.ts'
import {
  allowedTags,
  deepest,
  droppedWhole,
  fileOfImage,
  isAllowedLink,
  isCount,
  postLink,
  sameTags,
} from '#shared/html-allowed.ts'
import { completeUrl } from '#shared/urls.ts'
import { truncate } from '#shared/truncate.ts'
import { escapeHtml } from '#server/html/html.ts'
import { invalid } from '#server/http/errors.ts'
import type { Links } from '#server/files/signed-links.ts'

class TooDeep extends Error {}

/** Replacement for a disallowed tag: the tag is dropped, and its content is kept. */
const droppedTag = { tagName: 'gone', attribs: {} }
const mostRounds = 5

type Attributes = Readonly<Record<string, string>>

/** Returns the named attributes whose values are positive whole numbers. */
const counts = (attributes: Attributes, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (isCount(attributes[name]) ? [[name, attributes[name]]] : [])))

const transforms: Record<string, sanitize.Transformer> = {
  ...Object.fromEntries(
    Object.entries(sameTags).map(([from, to]): [string, sanitize.Transformer] => [
      from,
      () => ({ tagName: to, attribs: {} }),
    ]),
  ),
  a: (_, attributes) => {
    const href = completeUrl(attributes['href']?.trim() ?? '')
    return isAllowedLink(href) ? { tagName: 'a', attribs: { href } } : droppedTag
  },
  img: (_, attributes) => {
    const file = fileOfImage(attributes)
    if (file === undefined) return droppedTag
    return {
      tagName: 'img',
      attribs: {
        'data-file-id': file,
        alt: truncate(attributes['alt'] ?? '', 500),
        ...counts(attributes, ['width', 'height']),
      },
    }
  },
  span: (_, attributes) =>
    isCount(attributes['data-mention'])
      ? { tagName: 'span', attribs: { 'data-mention': attributes['data-mention'] } }
      : droppedTag,
  ol: (tagName, attributes) => ({ tagName, attribs: counts(attributes, ['start']) }),
  td: (tagName, attributes) => ({ tagName, attribs: counts(attributes, ['colspan', 'rowspan']) }),
  th: (tagName, attributes) => ({ tagName, attribs: counts(attributes, ['colspan', 'rowspan']) }),
}

function cleanOnce(html: string): string {
  let depth = 0
  return sanitize(html, {
    allowedTags: [...Object.keys(allowedTags), 'div'],
    allowedAttributes: Object.fromEntries(
      Object.entries(allowedTags).map(([tag, attributes]) => [tag, [...attributes]]),
    ),
    allowedSchemes: ['http', 'https', 'mailto', 'tel', 'post'],
    allowProtocolRelative: false,
    nonTextTags: [...droppedWhole],
    transformTags: transforms,
    onOpenTag: () => {
      if ((depth += 1) > deepest) throw new TooDeep()
    },
    onCloseTag: () => {
      depth -= 1
    },
  })
}

/** Result of cleaning: the HTML, or why it can't be saved. */
export type Cleaned = { html: string } | { failure: 'deep' | 'unreadable' }

const block = '<\\/?(?:p|h\\d|hr|pre|blockquote|ul|ol|li|table|thead|tbody|tr|th|td)\\b[^>]*>'
const divAfterBreak = new RegExp(`(<br \\/>|${block})\\s*<div>`, 'g')
const divBeforeBlock = new RegExp(`<div>\\s*(?=${block})`, 'g')

/** Replaces divs, which rich text doesn't have, by line breaks where a line begins or ends with them. */
const breakAtDivs = (html: string): string =>
  html
    .replaceAll(/<\/?div>(?:\s*<\/?div>)*/g, '<div>')
    .replaceAll(divAfterBreak, '$1')
    .replaceAll(divBeforeBlock, '')
    .replaceAll(/^\s*<div>|<div>\s*$/g, '')
    .replaceAll('<div>', '<br />')

/** Removes everything from rich text that `allowedTags` does not name. Cleaning the result again changes nothing. */
export function tryClean(unclean: string): Cleaned {
  let html = unclean
  try {
    for (let round = 0; round < mostRounds; round += 1) {
      const cleaner = cleanOnce(html)
      if (cleaner === html) return { html: breakAtDivs(html) }
      html = cleaner
    }
  } catch (error) {
    if (error instanceof TooDeep) return { failure: 'deep' }
    throw error
  }
  return { failure: 'unreadable' }
}

const cleanedBefore = new WeakMap<UncleanHtml, Cleaned>()

/** Stores a result for `cleanHtml` to return for this text. */
export const rememberCleaned = (html: UncleanHtml, cleaned: Cleaned): void =>
  void cleanedBefore.set(html, cleaned)

/**
 * Returns rich text in a form that is safe to save. Long rich text in a request has already been sanitized in
 * a separate thread (server/html/html-clean-large.ts).
 * @param field the field to which an error belongs
 * @throws HttpError 422 if the text is nested too deeply for us or a browser to read.
 */
export function cleanHtml(html: UncleanHtml, field = 'content'): string {
  const cleaned = cleanedBefore.get(html) ?? tryClean(html.unclean)
  if ('html' in cleaned) return cleaned.html
  throw invalid(
    field,
    cleaned.failure === 'deep'
      ? `This text is nested more than ${deepest} levels deep. Paste it without formatting.`
      : 'This text can’t be read. Paste it without formatting.',
  )
}

const picture = /<img data-file-id="([1-9]\d{0,9})"/g

/** Returns the IDs of the files shown in sanitized HTML. */
export const imagesIn = (html: string): number[] => [
  ...new Set([...html.matchAll(picture)].map(([, id]) => Number(id))),
]

/** Returns sanitized HTML without its images. */
export const withoutImages = (html: string): string => html.replaceAll(/<img [^>]*>/g, '')

/** Returns the IDs of the admin users mentioned in sanitized HTML. */
export const mentionsIn = (html: string): number[] => [
  ...new Set([...html.matchAll(/<span data-mention="([1-9]\d{0,9})">/g)].map(([, id]) => Number(id))),
]

/** Returns sanitized HTML with image URLs that this session can load; these URLs are never saved. */
export const withSignedImages = (html: string, links: Links): string =>
  html.replace(picture, (tag, id: string) => {
    const { url } = links({ id: Number(id), kind: 'image', small_name: null })
    return `${tag} src="${url.replaceAll('&', '&amp;')}"`
  })

/** Content-ID of an image in an email, by the ID of its file. */
export const contentIdOf = (file: number): string => `image-${file}@panel`

/**
 * Returns sanitized HTML for readers without a session: images are removed, except those of `attached`, which
 * their email brings along, and links to posts get the URL that `urlOf` returns, or become plain text.
 */
export const forOutside = (
  html: string,
  urlOf: (post: number) => string | undefined = () => undefined,
  attached: readonly number[] = [],
) =>
  html
    .replaceAll(/<img ([^>]*)>/g, (tag, rest: string) => {
      const file = imagesIn(tag)[0]
      if (file === undefined || !attached.includes(file)) return ''
      return `<img src="cid:${contentIdOf(file)}" ${rest.replace(/^data-file-id="\d+" ?/, '')}>`
    })
    .replaceAll(postLink, (_, id: string) => linkTo(urlOf(Number(id))))

/** Returns the beginning of a link, without `>`; without a URL, the element shows only its text. */
export const linkTo = (url: string | undefined): string =>
  url === undefined ? '<a' : `<a href="${escapeHtml(url)}"`

/** Converts HTML to plain text, for search, the text part of an email, or a first line. */
export const textOf = (html: string): string =>
  html
    .replace(/<\/?(?:br|hr|div|p|h\d|li|tr|pre|blockquote)\b[^>]*>/gi, '\n')
    // In sanitized HTML, every < or > that isn't part of a tag is escaped.
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\n{2,}/g, '\n')
    .trim()
