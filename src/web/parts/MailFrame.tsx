import classes from '#web/parts/MailFrame.module.css'

/**
 * An email, or a page of the panel, as its reader sees it, in a frame that runs no scripts, loads nothing, and is isolated from the
 * page.
 */
export function MailFrame({ html, title = 'Email' }: { html: string; title?: string }) {
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`
  return <iframe className={classes.frame} sandbox="" title={title} srcDoc={`${policy}${html}`} />
}
