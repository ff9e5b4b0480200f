/** Placeholder in a stored email for a secret link, which is created when the email is sent. */
export const linkPlace = '{{link}}'

/** A paragraph, with the line above it if there is one; paragraphs aren't nested. */
const paragraphs = /(?:<hr[^>]*>\s*)?<p[^>]*>(?:(?!<\/p>)[^])*<\/p>/g

/** Returns an email without the paragraphs that have its secret link, for those who get a copy. */
export const withoutLink = <Written extends { html: string; text: string }>(mail: Written): Written => ({
  ...mail,
  html: mail.html.replaceAll(paragraphs, (found) => (found.includes(linkPlace) ? '' : found)),
  text: mail.text
    .split('\n\n')
    .filter((part) => !part.includes(linkPlace))
    .join('\n\n'),
})
