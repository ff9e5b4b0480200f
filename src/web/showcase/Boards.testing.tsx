import { useState } from 'react'
import { Board } from '#web/board/Board.tsx'
import type { CardTexts } from '#web/board/CardFace.tsx'
import { moveCard } from '#web/board/lanes.ts'
import { Tone } from '#web/parts/Tone.tsx'
import { Part } from '#web/showcase/Part.testing.tsx'
import { longName, longTitle } from '#web/showcase/samples.testing.ts'
import classes from '#web/showcase/showcase.module.css'

interface Sample {
  id: number
  title: string
  text: string
  due: string | null
}

const lane = (id: number, name: string, ...cards: Sample[]) => ({ id, name, total: cards.length, cards })
const samples = [
  lane(
    1,
    'To do',
    { id: 11, title: 'Invoice has the wrong address', text: '#2150 · Aalto Linen', due: '2020-01-31' },
    { id: 12, title: longTitle, text: `#2151 · ${longName}`, due: '2999-12-31' },
  ),
  lane(2, 'Doing', { id: 21, title: 'A drop of this card is refused', text: '#2148', due: null }),
  { ...lane(3, 'Done'), isFolded: true },
]
const keyOf = ({ id }: Sample) => id
const textsOf = ({ due, ...texts }: Sample): CardTexts => ({
  ...texts,
  mark: <Tone tone="blue">Open</Tone>,
  due: { day: due, isOpen: true, label: 'Due' },
  assignee: due ? 'Tom Whitfield' : null,
})
const refused = 21

/** A board whose cards move, except for one. */
export function Boards() {
  const [lanes, setLanes] = useState(samples)
  return (
    <Part title="Boards">
      <div className={classes.board}>
        <Board<Sample>
          name="showcase"
          label="Board"
          lanes={lanes}
          words={['card', 'cards']}
          keyOf={keyOf}
          nameOf={({ title }) => title}
          addressOf={() => '/support'}
          texts={textsOf}
          isOrdered
          mayMove
          onMove={({ card, to, before }) => {
            if (card.id === refused) return Promise.resolve(false)
            setLanes(moveCard(lanes, keyOf, card.id, to, before?.id ?? 0))
            return Promise.resolve(true)
          }}
          onMore={() => {}}
        />
      </div>
    </Part>
  )
}
