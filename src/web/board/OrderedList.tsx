import { Fragment, useEffect, useRef, type ReactNode } from 'react'
import IconGripVertical from '@tabler/icons-react/dist/esm/icons/IconGripVertical.mjs'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { movesWithin } from '#web/board/lanes.ts'
import classes from '#web/board/OrderedList.module.css'
import { pressCard } from '#web/board/pressCard.ts'
import { useDragMonitor } from '#web/board/useDragMonitor.ts'
import { dropIndex, useLift, type Lift } from '#web/board/useLift.ts'
import { useTouchDrag } from '#web/board/useTouchDrag.ts'
import { Menu, MenuItem } from '#web/parts/Menu.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'
import { VisuallyHidden } from '#web/parts/VisuallyHidden.tsx'

interface Props<Entry> {
  label: string
  entries: readonly Entry[]
  keyOf: (entry: Entry) => string
  nameOf: (entry: Entry) => string
  /** Moves an entry before another one, or to the end; resolves to false if it was not moved. */
  onMove: (entry: Entry, before: Entry | undefined) => Promise<boolean>
  children: (entry: Entry) => ReactNode
}

/**
 * A list that users put in order, as the cards of a lane: each entry has a handle, which is dragged, moves with
 * the keyboard, and opens a menu with the same moves.
 */
export function OrderedList<Entry>({ label, entries, keyOf, nameOf, onMove, children }: Props<Entry>) {
  const root = useRef<HTMLDivElement>(null)
  const cards = entries.map((entry, id) => ({ entry, id }))
  const lanes = [{ id: 0, name: label, total: cards.length, cards }]
  const lift = useLift({
    lanes,
    keyOf: ({ id }) => id,
    nameOf: ({ entry }) => nameOf(entry),
    isOrdered: true,
    onMove: ({ card, before }) => onMove(card.entry, before?.entry),
    onDropped: () => {},
  })
  useEffect(() => dropTargetForElements({ element: root.current! }), [])
  useDragMonitor(root, lift, lanes, true)
  useTouchDrag(root, lift, lanes, { isOrdered: true, mayMove: true })
  const { lifted } = lift
  const before = dropIndex(0, lifted, lifted?.from.index ?? -1, true)
  const place = <li className={classes.place} aria-hidden />
  return (
    <div ref={root} data-lane={0}>
      <ol className={classes.entries} aria-label={label}>
        {entries.map((entry, index) => (
          <Fragment key={keyOf(entry)}>
            {before === index && place}
            <li
              className={classes.entry}
              data-index={index}
              data-whole
              data-lifted={lifted?.id === index || undefined}
            >
              <Handle index={index} last={entries.length - 1} name={nameOf(entry)} lift={lift} />
              {children(entry)}
            </li>
          </Fragment>
        ))}
        {before === entries.length && place}
      </ol>
      <VisuallyHidden role="status">{lift.announcement}</VisuallyHidden>
    </div>
  )
}

interface HandleProps {
  index: number
  last: number
  name: string
  lift: Lift
}

/** Moves an entry: dragged, with Space and the arrow keys, or from the menu that it opens. */
function Handle({ index, last, name, lift }: HandleProps) {
  const button = useRef<HTMLButtonElement>(null)
  const menu = useMenuButton()
  useEffect(() => {
    const element = button.current!
    return draggable({
      element,
      // On a touch screen, holding the handle lifts the entry.
      canDrag: () => globalThis.matchMedia('(pointer: fine)').matches,
      getInitialData: () => ({ card: index }),
      onGenerateDragPreview: ({ nativeSetDragImage }) =>
        nativeSetDragImage?.(element.closest('li')!, element.offsetWidth / 2, element.offsetHeight / 2),
    })
  }, [index])
  return (
    <>
      <button
        ref={button}
        type="button"
        className={classes.handle}
        aria-label={`Move ${name}`}
        title="Drag to reorder, or press Space and use the arrow keys."
        data-card={index}
        {...menu.props}
        onKeyDown={(event) => pressCard(event, event.currentTarget, lift, true)}
        // Space lifts the entry, and would also click.
        onKeyUp={(event) => event.key === ' ' && event.preventDefault()}
        onBlur={() => lift.lifted?.by === 'keys' && lift.cancel()}
      >
        <IconGripVertical size={14} aria-hidden />
      </button>
      {menu.wanted && (
        <Menu {...menu.at} label={`Move ${name}`}>
          {movesWithin(index, last).map(([label, to]) => (
            <MenuItem key={label} onClick={() => void lift.move(index, { lane: 0, index: to })}>
              {label}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  )
}
