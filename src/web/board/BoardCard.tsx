import { useEffect, useRef } from 'react'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { CardFace, type CardTexts } from '#web/board/CardFace.tsx'
import classes from '#web/board/board.module.css'
import { PageLink } from '#web/parts/PageLink.tsx'

interface Props {
  id: number
  name: string
  to: string
  texts: CardTexts
  mayMove: boolean
  /** How the card is being moved. */
  lifted: 'pointer' | 'keys' | undefined
  isMenuOpen: boolean
}

/** A card: a link that can be dragged. On a touch screen, its menu has a button. */
export function BoardCard({ id, name, to, texts, mayMove, lifted, isMenuOpen }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!mayMove) return undefined
    return draggable({
      element: frame.current!.querySelector<HTMLElement>('[data-card]')!,
      // On a touch screen, holding a card would drag it and open its menu as well.
      canDrag: () => globalThis.matchMedia('(pointer: fine)').matches,
      getInitialData: () => ({ card: id }),
    })
  }, [id, mayMove])
  return (
    <div ref={frame} className={classes.frame} data-frame={id}>
      <PageLink
        to={to}
        className={classes.card}
        data-card={id}
        data-lifted={lifted}
        aria-haspopup="menu"
        aria-expanded={isMenuOpen}
      >
        <CardFace {...texts} />
      </PageLink>
      <button type="button" className={classes.more} aria-label={`Actions for ${name}`} data-more>
        <IconDots size={16} aria-hidden />
      </button>
    </div>
  )
}
