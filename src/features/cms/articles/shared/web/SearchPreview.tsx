import { metaLengths } from '#features/cms/articles/rules.ts'
import classes from '#features/cms/articles/shared/web/articles.module.css'

interface Props {
  label: string
  title: string
  description: string
  /** What stands there while the fields are empty. */
  otherwise: { title: string; description: string }
  address: string
}

/** How a search engine would show a page, and what is missing or too long. */
export function SearchPreview({ label, title, description, otherwise, address }: Props) {
  const warnings = [
    warningOf('title', title, metaLengths.meta_title),
    warningOf('description', description, metaLengths.meta_description),
    title !== '' && title === description ? 'Title and description are the same.' : undefined,
  ].filter((one) => one !== undefined)
  return (
    <section className={classes.found} aria-label={label}>
      <p className={classes.soft}>{address}</p>
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

const warningOf = (name: string, text: string, most: number) =>
  text === '' ? `There is no meta ${name}.` : text.length > most ? `The meta ${name} has ${text.length} characters; ${most} are shown.` : undefined
