import { matchIn } from '#web/parts/matchIn.ts'

/** A text with the part that a search found marked. */
export function Marked({ text, search }: { text: string; search: string }) {
  const match = matchIn(text, search)
  if (!match) return text
  const [from, to] = match
  return (
    <>
      {text.slice(0, from)}
      <mark>{text.slice(from, to)}</mark>
      {text.slice(to)}
    </>
  )
}
