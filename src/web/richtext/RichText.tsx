import { wideUrl, type FileRef } from '#shared/files.ts'
import { postLink } from '#shared/html-allowed.ts'
import { filesIn, toDisplayHtml } from '#web/richtext/purify.ts'
import classes from '#web/richtext/text.module.css'
import { useFileRefs } from '#web/files/useFileRefs.ts'

interface Props {
  html: string
  /** IDs of posts that are not published; links to them are marked. */
  unpublished?: ReadonlySet<number> | undefined
}

const addressOf = (ref: FileRef | undefined) => ref && wideUrl(ref.url)

/**
 * Saved rich text, sanitized again. This is the only place in the panel that renders an HTML string as
 * elements.
 */
export function RichText({ html, unpublished }: Props) {
  const refs = useFileRefs(filesIn(html))
  return (
    <div
      className={classes.text}
      dangerouslySetInnerHTML={{
        __html: toDisplayHtml(html, (id) => addressOf(refs.get(id))).replaceAll(
          postLink,
          (_, id: string) =>
            `<a href="/posts/${id}"${unpublished?.has(Number(id)) ? ' data-unpublished' : ''}`,
        ),
      }}
    />
  )
}
