import { wideUrl, type FileRef } from '#shared/files.ts'
import { filesIn, forReader } from '#web/richtext/purify.ts'
import classes from '#web/richtext/text.module.css'
import { useFileRefs } from '#web/files/useFileRefs.ts'

const addressOf = (ref: FileRef | undefined) => ref && wideUrl(ref.url)

/** Rich text as it was saved. It is cleaned again here: this is the only place of the panel that makes elements of a text. */
export function RichText({ html }: { html: string }) {
  const refs = useFileRefs(filesIn(html))
  return <div className={classes.text} dangerouslySetInnerHTML={{ __html: forReader(html, (id) => addressOf(refs.get(id))) }} />
}
