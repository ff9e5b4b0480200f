import type { ReactNode } from 'react'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useViewer } from '#web/session.ts'
import { PageLink } from '#web/parts/PageLink.tsx'

/** Record references in a message, such as `#lead 482`. */
const named = /#(lead|ticket|task) (\d{1,9})\b/g

/** A message shown as entered: plain text, with links to the records that the viewer can open. */
export function MessageText({ text }: { text: string }) {
  const viewer = useViewer()
  const parts: ReactNode[] = []
  let from = 0
  for (const match of text.matchAll(named)) {
    const to = recordAddress(match[1]!, Number(match[2]), viewer)
    if (to === undefined) continue
    parts.push(
      text.slice(from, match.index),
      <PageLink key={match.index} to={to}>
        {match[0]}
      </PageLink>,
    )
    from = match.index + match[0].length
  }
  parts.push(text.slice(from))
  return parts
}
