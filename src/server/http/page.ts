import { html, type Html } from '#server/html/html.ts'

/** A page with text and forms, for people who open a link outside the panel (`answers: 'html'`). */
export interface HtmlPage {
  title: string
  content: Html
  /** Websites that can show the page in a frame, as origins; none by default. */
  frames?: readonly string[]
  /** Its own styles, written in code, instead of the look that these pages have. */
  styles?: Html
}

export const pageType = 'text/html; charset=utf-8'

/** Returns the content security policy of a page. */
export const policyOfPage = ({ frames = [] }: Pick<HtmlPage, 'frames'>): string =>
  `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors ${frames.length ? frames.join(' ') : "'none'"}`

/** A card, in light and dark, which fills a phone. */
const look = html`
  :root { --page: #f4f4f6; --card: #fff; --line: #d5d5dc; --text: #1c1c21; --soft: #5d5d68; --accent: #4341c4;
  } @media (prefers-color-scheme: dark) { :root { --page: #0f0f12; --card: #17171b; --line: #3a3a43; --text:
  #e8e8ec; --soft: #a5a5b0; --accent: #a9aef8; } } body { background: var(--page); color: var(--text); } main
  { box-sizing: border-box; padding: 2rem; border: 1px solid var(--line); border-radius: 12px; background:
  var(--card); } h1 { margin: 0 0 0.5rem; font-size: 1.375rem; line-height: 1.3; } h1 + p:has(+ form) {
  margin-top: 0; color: var(--soft); } main > :last-child { margin-bottom: 0; } a { color: var(--accent); }
  label:has(> input) { display: flex; gap: 0.75rem; align-items: center; padding: 0.75rem 1rem; border: 1px
  solid var(--line); border-radius: 8px; cursor: pointer; } label:has(> :checked) { border-color:
  var(--accent); box-shadow: inset 0 0 0 1px var(--accent); } p:has(> label > input) { margin: 0 0 0.5rem; }
  label > input { flex: none; width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--accent); }
  textarea { box-sizing: border-box; width: 100%; margin-top: 0.375rem; padding: 0.625rem 0.75rem; border: 1px
  solid var(--line); border-radius: 8px; background: transparent; color: inherit; font: inherit; } button {
  min-height: 44px; border: 0; border-radius: 8px; background: #4341c4; color: #fff; font-weight: 600; cursor:
  pointer; } :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; } @media (width < 36rem)
  { body { margin: 0; padding: 0; } main { min-height: 100dvh; padding: 1.5rem 1rem; border: 0; border-radius:
  0; } button { width: 100%; } }
`

/** Returns a page as an HTML document. */
export function renderPage({ title, content, styles = look }: HtmlPage): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <style>
          :root {
            color-scheme: light dark;
          }
          body {
            max-width: 32rem;
            margin: 4rem auto;
            padding: 0 1rem;
            font:
              16px/1.5 system-ui,
              sans-serif;
            overflow-wrap: anywhere;
          }
          button {
            padding: 0.5rem 1.25rem;
            font: inherit;
          }
          ${styles}
        </style>
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html>`.text
}
