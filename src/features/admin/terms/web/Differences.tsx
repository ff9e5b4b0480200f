import { useMemo } from 'react'
import { differences, type Piece } from '#features/admin/terms/rules.ts'
import classes from '#features/admin/terms/web/terms.module.css'
import { countText } from '#web/time.ts'

/** Word-by-word comparison of two texts, showing what was removed and added. */
export function Differences({ title, before, after }: { title: string; before: string; after: string }) {
  const pieces = useMemo(() => differences(textOf(before), textOf(after)), [before, after])
  return (
    <>
      <p className={classes.facts}>
        {title}:{' '}
        {pieces.every(({ kind }) => kind === 'same')
          ? 'no differences.'
          : `${wordsOf(pieces, 'added')} added (underlined), ${wordsOf(pieces, 'removed')} removed (struck through).`}
      </p>
      <p className={classes.differences}>
        {pieces.map(({ kind, text }, index) => {
          const Part = kind === 'added' ? 'ins' : kind === 'removed' ? 'del' : 'span'
          return <Part key={index}>{text}</Part>
        })}
      </p>
    </>
  )
}

function wordsOf(pieces: readonly Piece[], kind: Piece['kind']): string {
  const count = pieces
    .filter((piece) => piece.kind === kind)
    .reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0)
  return count === 1 ? '1 word' : `${countText(count)} words`
}

const blocks = 'p, h1, h2, h3, h4, h5, h6, li, tr, blockquote, pre, hr'

/**
 * Returns the text content of HTML, one line per block. Parses it in a separate document, so that no scripts
 * run and nothing is fetched.
 */
function textOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const block of body.querySelectorAll(blocks)) block.append('\n')
  for (const line of body.querySelectorAll('br')) line.replaceWith('\n')
  return (body.textContent ?? '').trim()
}
