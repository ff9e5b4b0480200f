import { metaLengths, metaWarnings } from '#features/cms/articles/rules.ts'
import classes from '#features/cms/articles/shared/web/articles.module.css'
import { Soft } from '#web/parts/Soft.tsx'

interface Props {
  label: string
  title: string
  description: string
  /** Texts that are shown when the fields are empty. */
  otherwise: { title: string; description: string }
  address: string
  /** Titles of other articles with the same meta title or description. */
  others?: { title: readonly string[]; description: readonly string[] } | undefined
}

/**
 * Preview of a page as a search engine would show it, with warnings for texts that are missing, too long, or
 * duplicated.
 */
export function SearchPreview({ label, title, description, otherwise, address, others }: Props) {
  const warnings = metaWarnings({ title, description }, others)
  return (
    <section className={classes.found} aria-label={label}>
      <Soft>{address}</Soft>
      <p className={classes.foundTitle}>{cut(title || otherwise.title, metaLengths.meta_title)}</p>
      <p>{cut(description || otherwise.description, metaLengths.meta_description)}</p>
      {warnings.length > 0 && (
        <ul className={classes.warnings}>
          {warnings.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text || '—')
