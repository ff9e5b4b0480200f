import { forFrame } from '#web/richtext/purify.ts'
import classes from '#web/richtext/text.module.css'

/**
 * HTML of others (a mail, a ticket) in a frame that runs nothing and fetches nothing but files of ours. It is of our origin only
 * so that it can load them; without scripts it can do nothing with that.
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
