import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeHtml } from '#server/html/html.ts'

/** Placeholder in a mailing for the recipient's unsubscribe link. */
export const unsubscribePlace = '{{unsubscribe}}'

/** Compiled from `frame.mjml` by `npm run frame` (docs/decisions/018-html-of-emails.md). */
const frame = readFileSync(join(import.meta.dirname, 'frame.html'), 'utf8').replace(/^<!--.*-->\n/, '')

interface Words {
  subject: string
  /** The content, whose values are already escaped. */
  html: string
  text: string
}

interface Look {
  /** Shown above the content; nothing is if it is empty. */
  heading: string
  /** A color such as `#0f766e`. */
  color: string
  /** Several lines of text below the content. */
  footer: string
  unsubscribable: boolean
}

/** Returns a complete email: its content in the sender's frame, as HTML and as text. */
export function framed(
  { subject, html, text }: Words,
  { heading, color, footer, unsubscribable }: Look,
): Words {
  const slots: Record<string, string> = {
    TITLE: escapeHtml(subject),
    PRODUCT: escapeHtml(heading),
    CONTENT: withInlineStyles(html),
    FOOTER: [
      ...(footer ? [escapeHtml(footer).replaceAll('\n', '<br />')] : []),
      ...(unsubscribable
        ? [`<a href="${unsubscribePlace}" style="color:#59636e;text-decoration:underline">Unsubscribe</a>`]
        : []),
    ].join('<br /><br />'),
  }
  return {
    subject,
    // In a single pass, so that a value can't contain another slot.
    html: frame.replaceAll(/%([A-Z]+)%|#0badc0/g, (found, slot?: string) =>
      slot === undefined ? color : (slots[slot] ?? found),
    ),
    text: [
      text.trimEnd(),
      ...(footer ? [`-- \n${footer}`] : []),
      ...(unsubscribable ? [`Unsubscribe: ${unsubscribePlace}`] : []),
    ]
      .join('\n\n')
      .concat('\n'),
  }
}

/** Email clients ignore or strip style sheets, so each element has its own style. */
const styles: Readonly<Record<string, string>> = {
  p: 'margin:0 0 14px',
  h1: 'margin:0 0 14px;font-size:22px;line-height:1.3',
  h2: 'margin:18px 0 10px;font-size:18px;line-height:1.3',
  h3: 'margin:16px 0 8px;font-size:16px;line-height:1.4',
  h4: 'margin:16px 0 8px;font-size:15px',
  ul: 'margin:0 0 14px;padding-left:22px',
  ol: 'margin:0 0 14px;padding-left:22px',
  li: 'margin:0 0 4px',
  a: 'color:#0b57d0;text-decoration:underline',
  blockquote: 'margin:0 0 14px;padding-left:12px;border-left:3px solid #d0d7de',
  pre: 'margin:0 0 14px;padding:10px;background:#f4f5f7;white-space:pre-wrap;font-size:13px',
  code: 'background:#f4f5f7;font-size:13px',
  hr: 'margin:18px 0;border:0;border-top:1px solid #d0d7de',
  table: 'margin:0 0 14px;border-collapse:collapse',
  td: 'padding:6px 10px;border:1px solid #d0d7de;text-align:left;vertical-align:top',
  th: 'padding:6px 10px;border:1px solid #d0d7de;text-align:left;vertical-align:top',
  img: 'max-width:100%;height:auto',
}

/**
 * In sanitized and in our own HTML, every < that isn't part of a tag is escaped. A link without an address is
 * text and stays so.
 */
const withInlineStyles = (html: string): string =>
  html.replaceAll(/<(a(?= href)|(?!a[\s/>])[a-z]\w*)(?=[\s/>])/g, (tag, name: string) =>
    styles[name] === undefined ? tag : `${tag} style="${styles[name]}"`,
  )
