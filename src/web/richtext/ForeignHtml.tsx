import { forFrame } from '#web/richtext/purify.ts'
import classes from '#web/richtext/text.module.css'

/**
 * Foreign HTML (an email, a ticket) in a frame that runs nothing and fetches only our stored files. It has our origin only
 * to be able to load them; without scripts it cannot do anything else with it.
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
