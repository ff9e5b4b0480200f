import { wideUrl, type FileRef } from '#shared/files.ts'
import { filesIn, toDisplayHtml } from '#web/richtext/purify.ts'
import classes from '#web/richtext/text.module.css'
import { useFileRefs } from '#web/files/useFileRefs.ts'

const addressOf = (ref: FileRef | undefined) => ref && wideUrl(ref.url)

/**
 * Saved rich text, sanitized again. This is the only place in the panel that renders an HTML string as
 * elements.
 */
export function RichText({ html }: { html: string }) {
  const refs = useFileRefs(filesIn(html))
  return (
    <div
      className={classes.text}
      dangerouslySetInnerHTML={{ __html: toDisplayHtml(html, (id) => addressOf(refs.get(id))) }}
    />
  )
}
