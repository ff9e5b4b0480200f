import { mentionPattern } from '#web/composer/mentions.ts'
import { PageLink } from '#web/parts/PageLink.tsx'
import { linkPatterns } from '#web/stream/linkPatterns.ts'
import classes from '#web/stream/stream.module.css'

interface Props {
  text: string
  /** Returns the address of the record with a number such as #145; undefined if the viewer can't open it. */
  addressOf: (number: number) => string | undefined
  /** Names of people who are mentioned in the text as `@Name`. */
  people?: readonly string[]
}

/** Plain text in which addresses and numbers such as #145 are links, and mentions are marked. */
export function LinkedText({ text, addressOf, people = [] }: Props) {
  const patterns = [...linkPatterns, mentionPattern(people)]
  const parts = text.split(new RegExp(`(${patterns.filter(Boolean).join('|')})`))
  return (
    <div className={classes.plain}>
      {parts.map((part, at) => {
        // Every second part is a match.
        if (at % 2 === 0) return part
        if (part.startsWith('@'))
          return (
            <span key={at} className={classes.mention}>
              {part}
            </span>
          )
        if (part.startsWith('#')) {
          const to = addressOf(Number(part.slice(1)))
          return to === undefined ? (
            part
          ) : (
            <PageLink key={at} to={to}>
              {part}
            </PageLink>
          )
        }
        return (
          <a key={at} href={part} target="_blank" rel="noopener noreferrer">
            {part}
          </a>
        )
      })}
    </div>
  )
}
