import { wideUrl, type FileRef } from '#shared/files.ts'
import { postLink } from '#shared/html-allowed.ts'
import { withLinks } from '#web/richtext/withLinks.ts'
import { filesIn, toDisplayHtml } from '#web/richtext/purify.ts'
import classes from '#web/richtext/text.module.css'
import { useFileRefs } from '#web/files/useFileRefs.ts'

interface Props {
  html: string
  /** IDs of posts that are not published; links to them are marked. */
  unpublished?: ReadonlySet<number> | undefined
  /** Returns the address of the record with a number such as #145; if given, these and addresses are links. */
  addressOf?: (number: number) => string | undefined
}

const imageOf = (ref: FileRef | undefined) => ref && wideUrl(ref.url)

/**
 * Saved rich text, sanitized again. This is the only place in the panel that renders an HTML string as
 * elements.
 */
export function RichText({ html, unpublished, addressOf }: Props) {
  const refs = useFileRefs(filesIn(html))
  const clean = toDisplayHtml(html, (id) => imageOf(refs.get(id)))
  return (
    <div
      className={classes.text}
      dangerouslySetInnerHTML={{
        __html: (addressOf ? withLinks(clean, addressOf) : clean).replaceAll(
          postLink,
          (_, id: string) =>
            `<a href="/posts/${id}"${unpublished?.has(Number(id)) ? ' data-unpublished' : ''}`,
        ),
      }}
    />
  )
}
