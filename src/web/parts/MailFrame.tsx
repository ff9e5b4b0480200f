import classes from '#web/parts/MailFrame.module.css'

/**
 * An email as its recipient sees it, in a frame that runs no scripts, loads nothing, and is isolated from the
 * page.
 */
export function MailFrame({ html }: { html: string }) {
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`
  return <iframe className={classes.frame} sandbox="" title="Email" srcDoc={`${policy}${html}`} />
}
