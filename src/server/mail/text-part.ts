/**
 * Converts sanitized HTML to the text part of an email: a blank line between paragraphs, marks before list
 * items, and the address after a link's text.
 */
export function textPart(html: string): string {
  const lists: (number | undefined)[] = []
  return html
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/g, (_, href: string, words: string) => {
      const said = words.replaceAll(/<[^>]*>/g, '').trim()
      const address = href.replace(/^(mailto|tel):/, '')
      return said === '' || said === address ? address : `${said} (${address})`
    })
    .replaceAll(/<(\/?)([a-z]\w*)[^>]*>/g, (_, closing: string, tag: string) => {
      if (tag === 'br') return '\n'
      if (tag === 'hr') return '\n\n---\n\n'
      if (tag === 'ul' || tag === 'ol') {
        if (closing) lists.pop()
        else lists.push(tag === 'ol' ? 0 : undefined)
        return '\n\n'
      }
      if (tag === 'li') {
        if (closing) return '\n'
        const count = lists.at(-1)
        if (count === undefined) return '- '
        lists[lists.length - 1] = count + 1
        return `${count + 1}. `
      }
      if (tag === 'tr') return closing ? '\n' : ''
      if (tag === 'td' || tag === 'th') return closing ? '  ' : ''
      if (tag === 'p' && lists.length > 0) return ''
      return /^(p|h\d|table|blockquote|pre|div)$/.test(tag) ? '\n\n' : ''
    })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#123;', '{')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/[ \t]+\n/g, '\n')
    .replaceAll(/\n[ \t]+/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
