// As in RichTextEditor.
'use no memo'

import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import IconTablePlus from '@tabler/icons-react/dist/esm/icons/IconTablePlus.mjs'
import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { Popup } from '#web/parts/Popup.tsx'
import { stopEscapePropagation } from '#web/parts/stopEscapePropagation.ts'
import { useMenuButton } from '#web/parts/useMenuButton.ts'
import classes from '#web/richtext/editor.module.css'

interface PopupControlProps {
  label: string
  icon: ReactNode
  isPressed?: boolean
  children: (close: () => void) => ReactNode
}

/** Button of the toolbar that opens a box with its own fields. */
function PopupControl({ label, icon, isPressed, children }: PopupControlProps) {
  const { props, at } = useMenuButton()
  return (
    <>
      <button
        type="button"
        className={classes.control}
        aria-label={label}
        title={label}
        aria-pressed={isPressed}
        {...props}
        aria-haspopup="dialog"
      >
        {icon}
      </button>
      {at.opened && (
        <OpenPopup id={at.id} label={label} onClose={at.onClose}>
          {children(() => document.getElementById(at.id)?.hidePopover())}
        </OpenPopup>
      )}
    </>
  )
}

interface OpenPopupProps {
  id: string
  label: string
  onClose: () => void
  children: ReactNode
}

function OpenPopup({ id, label, onClose, children }: OpenPopupProps) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    box.current!.showPopover()
    box.current!.querySelector<HTMLElement>('input, button')!.focus()
  }, [])
  return (
    <Popup
      ref={box}
      id={id}
      {...stopEscapePropagation}
      role="dialog"
      aria-label={label}
      onToggle={({ newState }) => newState === 'closed' && onClose()}
    >
      {children}
    </Popup>
  )
}

/** Makes the selected text a link, or changes the link at the cursor. */
export function LinkControl({ editor }: { editor: Editor }) {
  const isLink = useEditorState({
    editor,
    selector: ({ editor: now }) => !now.isDestroyed && now.isActive('link'),
  })
  return (
    <PopupControl label="Link" icon={<IconLink size={16} stroke={1.5} />} isPressed={isLink}>
      {(close) => <LinkField editor={editor} close={close} />}
    </PopupControl>
  )
}

function LinkField({ editor, close }: { editor: Editor; close: () => void }) {
  const [url, setUrl] = useState(() => (editor.getAttributes('link')['href'] as string | undefined) ?? '')
  const save = () => {
    close()
    const chain = editor.chain().focus().extendMarkRange('link')
    ;(url === '' ? chain.unsetLink() : chain.setLink({ href: url })).run()
  }
  return (
    <div className={classes.link}>
      <input
        type="url"
        aria-label="URL"
        placeholder="https://example.com/"
        value={url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // Enter must not submit the form around the editor.
          event.preventDefault()
          event.stopPropagation()
          save()
        }}
      />
      <button type="button" onClick={save}>
        Save
      </button>
    </div>
  )
}

const mostCells = 8
const counts = Array.from({ length: mostCells }, (_, at) => at + 1)

/** Inserts a table of the chosen size. */
export const TableControl = ({ editor }: { editor: Editor }) => (
  <PopupControl label="Insert table" icon={<IconTablePlus size={16} stroke={1.5} />}>
    {(close) => (
      <TableSize
        onChoose={(cols, rows) => {
          close()
          editor.chain().focus().insertTable({ rows, cols, withHeaderRow: true }).run()
        }}
      />
    )}
  </PopupControl>
)

function TableSize({ onChoose }: { onChoose: (columns: number, rows: number) => void }) {
  const [size, setSize] = useState<readonly [number, number]>([0, 0])
  return (
    <>
      <div className={classes.cells}>
        {counts.map((rows) =>
          counts.map((columns) => (
            <button
              key={`${rows}-${columns}`}
              type="button"
              aria-label={`Insert ${columns} × ${rows} table`}
              data-active={(columns <= size[0] && rows <= size[1]) || undefined}
              onMouseEnter={() => setSize([columns, rows])}
              onFocus={() => setSize([columns, rows])}
              onClick={() => onChoose(columns, rows)}
            />
          )),
        )}
      </div>
      <p className={classes.size}>{`${size[0]} × ${size[1]}`}</p>
    </>
  )
}
