import { html, type Html } from '#server/html/html.ts'

/** A page with text and forms, for people who open a link outside the panel (`answers: 'html'`). */
export interface HtmlPage {
  title: string
  content: Html
  /** Websites that can show the page in a frame, as origins; none by default. */
  frames?: readonly string[]
  /** Further styles, written in code. */
  styles?: Html
}

export const pageType = 'text/html; charset=utf-8'

/** Returns the content security policy of a page. */
export const policyOfPage = ({ frames = [] }: Pick<HtmlPage, 'frames'>): string =>
  `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors ${frames.length ? frames.join(' ') : "'none'"}`

/** Returns a page as an HTML document. */
export function renderPage({ title, content, styles = html`` }: HtmlPage): string {
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
