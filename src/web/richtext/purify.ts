import DOMPurify from 'dompurify'
import { allowedTags, fileOfImage, isAllowedLink, isCount } from '#shared/html-allowed.ts'

/** Returns the URL that an image is loaded from; undefined if there is none. */
type AddressOf = (file: number) => string | undefined

/** Arguments of the current call, stored here because DOMPurify's hooks are global; calls never overlap. */
let addressOf: AddressOf = () => undefined
let forReading = false

const cleaner = DOMPurify(window)
cleaner.addHook('uponSanitizeElement', (node) => {
  if (!(node instanceof HTMLElement)) return
  // An image that is not a stored file is removed.
  if (
    node.tagName === 'IMG' &&
    fileOfImage({ 'data-file-id': node.dataset['fileId'], src: node.getAttribute('src') ?? undefined }) ===
      undefined
  )
    node.remove()
})
cleaner.addHook('afterSanitizeAttributes', (node) => {
  const tag = node.tagName.toLowerCase()
  const file =
    tag === 'img'
      ? fileOfImage({
          'data-file-id': node.getAttribute('data-file-id') ?? undefined,
          src: node.getAttribute('src') ?? undefined,
        })
      : undefined
  for (const name of node.getAttributeNames())
    if (!allowedTags[tag]?.includes(name)) node.removeAttribute(name)
  if (tag === 'a') {
    if (!isAllowedLink(node.getAttribute('href') ?? '')) node.removeAttribute('href')
    else if (forReading) {
      node.setAttribute('target', '_blank')
      node.setAttribute('rel', 'noopener noreferrer')
      const card = cardOf(node)
      if (card !== undefined) node.setAttribute('data-card', card)
    }
  }
  if (file !== undefined) {
    node.setAttribute('data-file-id', file)
    const address = addressOf(Number(file))
    if (address !== undefined) node.setAttribute('src', address)
  }
  if (tag === 'span' && !isCount(node.getAttribute('data-mention') ?? ''))
    node.replaceWith(...node.childNodes)
})

/**
 * Hosts of external videos and posts. A bare link to one becomes a card; nothing is fetched from these hosts.
 */
const cards: Record<string, string> = {
  youtube: 'Video',
  youtu: 'Video',
  vimeo: 'Video',
  twitter: 'Post',
  x: 'Post',
}

/** Returns the card title for a link that is alone in its paragraph and whose text is its own URL. */
function cardOf(link: Element): string | undefined {
  const href = link.getAttribute('href')!
  if (
    link.textContent?.trim() !== href ||
    link.parentElement?.tagName !== 'P' ||
    link.parentElement.textContent?.trim() !== href
  )
    return undefined
  const host = /^https?:\/\/(?:www\.|m\.)?((youtube|vimeo|twitter|x)\.com|(youtu)\.be)\//.exec(href)
  return host ? `${cards[host[2] ?? host[3]!]!} on ${host[1]}` : undefined
}

const attributes = [...new Set(Object.values(allowedTags).flat()), 'src']

function run(html: string, from: AddressOf, reading: boolean): string {
  addressOf = from
  forReading = reading
  return cleaner.sanitize(html, {
    ALLOWED_TAGS: Object.keys(allowedTags),
    ALLOWED_ATTR: attributes,
    // Only href and src have to match the URL pattern.
    ADD_URI_SAFE_ATTR: attributes.filter((name) => name !== 'href' && name !== 'src'),
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:|tel:|post:|\/api\/files\/)/i,
    KEEP_CONTENT: true,
  })
}

/**
 * Returns HTML that is safe to display even if it was saved under older rules, injected, or tampered with.
 * Links open in a new tab.
 */
export const toDisplayHtml = (html: string, from: AddressOf): string => run(html, from, true)

/** Returns HTML for saving, without URLs of stored files; the server sanitizes it again. */
export const forSaving = (html: string): string => run(html, () => undefined, false)

/** Returns the IDs of the files that rich text shows. */
export const filesIn = (html: string): number[] =>
  [...html.matchAll(/data-file-id="([1-9]\d{0,9})"/g)].map(([, id]) => Number(id))

/**
 * Returns HTML from outside the panel for display in a separate frame, without elements that could load
 * something before a policy is applied.
 */
export const forFrame = (html: string): string =>
  DOMPurify(window).sanitize(html, {
    WHOLE_DOCUMENT: true,
    ADD_TAGS: ['style'],
    FORCE_BODY: true,
    FORBID_TAGS: [
      'link',
      'meta',
      'base',
      'iframe',
      'object',
      'embed',
      'form',
      'input',
      'button',
      'textarea',
      'select',
    ],
  })
