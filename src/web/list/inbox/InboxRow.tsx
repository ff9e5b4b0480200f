import type { MouseEvent, ReactNode } from 'react'
import { DueDate, type Due } from '#web/list/DueDate.tsx'
import classes from '#web/list/inbox/inbox.module.css'
import { SelectBox, type Selection } from '#web/list/table/selection.tsx'
import { Moment } from '#web/Moment.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'

/** The content of a row of an inbox, in two lines. */
export interface InboxLines {
  title: string
  /** The title with marks, if it isn't shown as plain text. */
  shown?: ReactNode
  /** Whether there is something that has not been read yet. */
  isNew?: boolean
  /** When the row was last active; left out if it has another time that matters. */
  at?: string
  due?: Due
  /** Before the times or in their place, such as a clock that runs. */
  clock?: ReactNode
  /** The sender, such as a person and their organization. */
  from: string
  /** The last words, such as those of the last message. */
  words?: string
  status: ReactNode
  /** A third line, such as why an email failed. */
  note?: ReactNode
}

interface Props {
  id: number
  to: string
  lines: InboxLines
  isOpen: boolean
  selection: Selection | undefined
  onOpen: () => boolean
}

/** Returns whether a click opens the link here, instead of in another tab or window. */
const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

/** A row of an inbox. Its link covers the row. */
export function InboxRow({ id, to, lines, isOpen, selection, onOpen }: Props) {
  const { title, shown, isNew, at, due, clock, from, words, status, note } = lines
  const isSelected = selection?.has(id)
  return (
    <li
      className={classes.row}
      data-row={id}
      data-new={isNew || undefined}
      data-selected={isSelected || undefined}
      aria-current={isOpen || undefined}
      tabIndex={-1}
    >
      {selection && (
        <label className={classes.tick}>
          <SelectBox id={id} name={title} selection={selection} />
        </label>
      )}
      <div className={classes.lines}>
        <p>
          <PageLink
            to={to}
            className={classes.title}
            title={title}
            onClick={(event) => {
              if (isPlain(event) && onOpen()) event.preventDefault()
            }}
          >
            {shown ?? title}
          </PageLink>
          {isNew && <span className={classes.new}>New</span>}
          <span className={classes.when}>
            {clock}
            {due?.day && (
              <span data-due>
                <DueDate {...due} />
              </span>
            )}
            {at !== undefined && <Moment at={at} />}
          </span>
        </p>
        <p className={classes.second}>
          <span className={classes.from} title={from}>
            <span className={classes.sender}>{from}</span>
            {words && ` · ${words}`}
          </span>
          {status}
        </p>
        {note && <p className={classes.note}>{note}</p>}
      </div>
    </li>
  )
}
