import { filesIn, forReader } from '#web/richtext/purify.ts'
import classes from '#web/richtext/text.module.css'
import { useFileRefs } from '#web/files/useFileRefs.ts'

/** Rich text as it was saved. It is cleaned again here: this is the only place of the panel that makes elements of a text. */
export function RichText({ html }: { html: string }) {
  const refs = useFileRefs(filesIn(html))
  return <div className={classes.text} dangerouslySetInnerHTML={{ __html: forReader(html, (id) => refs.get(id)?.url) }} />
}
