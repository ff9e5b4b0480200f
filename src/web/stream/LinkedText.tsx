import { PageLink } from '#web/parts/PageLink.tsx'
import classes from '#web/stream/stream.module.css'

interface Props {
  text: string
  /** Returns the address of the record with a number such as #145. */
  addressOf: (number: number) => string
  /** Names of people who are mentioned in the text as `@Name`. */
  people?: readonly string[]
}

const literally = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Plain text in which addresses and numbers such as #145 are links, and mentions are marked. */
export function LinkedText({ text, addressOf, people = [] }: Props) {
  const mentions = people.map((name) => `@${literally(name)}`)
  const parts = text.split(
    new RegExp(`(${['https?://[^\\s<>]*[^\\s<>.,;:!?)]', '#[1-9]\\d{0,8}\\b', ...mentions].join('|')})`),
  )
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
        if (part.startsWith('#'))
          return (
            <PageLink key={at} to={addressOf(Number(part.slice(1)))}>
              {part}
            </PageLink>
          )
        return (
          <a key={at} href={part} target="_blank" rel="noopener noreferrer">
            {part}
          </a>
        )
      })}
    </div>
  )
}
