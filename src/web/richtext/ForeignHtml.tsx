import { forFrame } from '#web/richtext/purify.ts'
import classes from '#web/richtext/text.module.css'

/**
 * HTML from outside the panel (an email, a ticket) in a frame that runs no scripts and fetches only the
 * panel's stored files. The frame shares the panel's origin only so that it can load these files; without
 * scripts, it can't use the origin for anything else.
 */
export function ForeignHtml({ html, title }: { html: string; title: string }) {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src ${location.origin}/api/files/ data:`
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}"><base target="_blank"><style>body{margin:12px;font:14px/1.5 sans-serif;overflow-wrap:anywhere;background:#fff;color:#1f2328}img{max-width:100%}</style>`
  return (
    <iframe
      className={classes.frame}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      title={title}
      srcDoc={`${head}${forFrame(html)}`}
    />
  )
}
