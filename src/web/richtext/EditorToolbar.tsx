// As in RichTextEditor.
'use no memo'

import type { ReactNode } from 'react'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconArrowForwardUp from '@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs'
import IconAt from '@tabler/icons-react/dist/esm/icons/IconAt.mjs'
import IconBlockquote from '@tabler/icons-react/dist/esm/icons/IconBlockquote.mjs'
import IconBold from '@tabler/icons-react/dist/esm/icons/IconBold.mjs'
import IconClearFormatting from '@tabler/icons-react/dist/esm/icons/IconClearFormatting.mjs'
import IconCode from '@tabler/icons-react/dist/esm/icons/IconCode.mjs'
import IconFileSymlink from '@tabler/icons-react/dist/esm/icons/IconFileSymlink.mjs'
import IconH1 from '@tabler/icons-react/dist/esm/icons/IconH1.mjs'
import IconH2 from '@tabler/icons-react/dist/esm/icons/IconH2.mjs'
import IconH3 from '@tabler/icons-react/dist/esm/icons/IconH3.mjs'
import IconItalic from '@tabler/icons-react/dist/esm/icons/IconItalic.mjs'
import IconLineDashed from '@tabler/icons-react/dist/esm/icons/IconLineDashed.mjs'
import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs'
import IconListNumbers from '@tabler/icons-react/dist/esm/icons/IconListNumbers.mjs'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import IconSourceCode from '@tabler/icons-react/dist/esm/icons/IconSourceCode.mjs'
import IconStrikethrough from '@tabler/icons-react/dist/esm/icons/IconStrikethrough.mjs'
import IconUnderline from '@tabler/icons-react/dist/esm/icons/IconUnderline.mjs'
import IconUnlink from '@tabler/icons-react/dist/esm/icons/IconUnlink.mjs'
import type { Icon } from '@tabler/icons-react'
import type { ChainedCommands, Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { LinkControl, TableControl } from '#web/richtext/EditorPopups.tsx'
import classes from '#web/richtext/editor.module.css'

type Run = (chain: ChainedCommands) => ChainedCommands
/** A button of the toolbar; `active` is the node or mark for which it is pressed. */
type Control = readonly [label: string, icon: Icon, run: Run, active?: string, level?: number]

const bold: Control = ['Bold', IconBold, (chain) => chain.toggleBold(), 'bold']
const italic: Control = ['Italic', IconItalic, (chain) => chain.toggleItalic(), 'italic']
const bullets: Control = ['Bullet list', IconList, (chain) => chain.toggleBulletList(), 'bulletList']
const numbers: Control = [
  'Ordered list',
  IconListNumbers,
  (chain) => chain.toggleOrderedList(),
  'orderedList',
]

const headings: readonly Control[] = [
  ['Heading 1', IconH1, (chain) => chain.toggleHeading({ level: 1 }), 'heading', 1],
  ['Heading 2', IconH2, (chain) => chain.toggleHeading({ level: 2 }), 'heading', 2],
  ['Heading 3', IconH3, (chain) => chain.toggleHeading({ level: 3 }), 'heading', 3],
]
const marks: readonly Control[] = [
  bold,
  italic,
  ['Underline', IconUnderline, (chain) => chain.toggleUnderline(), 'underline'],
  ['Strikethrough', IconStrikethrough, (chain) => chain.toggleStrike(), 'strike'],
  ['Code', IconCode, (chain) => chain.toggleCode(), 'code'],
  ['Clear formatting', IconClearFormatting, (chain) => chain.unsetAllMarks()],
]
const blocks: readonly Control[] = [
  bullets,
  numbers,
  ['Blockquote', IconBlockquote, (chain) => chain.toggleBlockquote(), 'blockquote'],
  ['Code block', IconSourceCode, (chain) => chain.toggleCodeBlock(), 'codeBlock'],
  ['Horizontal line', IconLineDashed, (chain) => chain.setHorizontalRule()],
]
const unlink: readonly Control[] = [['Remove link', IconUnlink, (chain) => chain.unsetLink()]]
const steps: readonly Control[] = [
  ['Undo', IconArrowBackUp, (chain) => chain.undo()],
  ['Redo', IconArrowForwardUp, (chain) => chain.redo()],
]

interface Props {
  editor: Editor
  /** Inserts links to pages, images, and mentions, where the field allows them. */
  link: { label: string; onClick: () => void } | undefined
  onPicture: (() => void) | undefined
  hasMentions: boolean
}

export const EditorToolbar = ({ editor, link, onPicture, hasMentions }: Props) => (
  <div className={classes.toolbar}>
    <Controls editor={editor} controls={headings} />
    <Controls editor={editor} controls={marks} />
    <Controls editor={editor} controls={blocks} />
    <div className={classes.group}>
      <LinkControl editor={editor} />
      <Controls editor={editor} controls={unlink} />
      {link && (
        <ControlButton label={link.label} onClick={link.onClick}>
          <IconFileSymlink size={16} stroke={1.5} />
        </ControlButton>
      )}
      <TableControl editor={editor} />
      {onPicture && (
        <ControlButton label="Image" onClick={onPicture}>
          <IconPhoto size={16} stroke={1.5} />
        </ControlButton>
      )}
      {hasMentions && (
        <ControlButton
          label="Mention someone"
          onClick={() => editor.chain().focus().insertContent('@').run()}
        >
          <IconAt size={16} stroke={1.5} />
        </ControlButton>
      )}
    </div>
    <Controls editor={editor} controls={steps} />
  </div>
)

const few = [bold, italic, bullets, numbers]

/** The few buttons of a composer. */
export const BareToolbar = ({ editor }: { editor: Editor }) => (
  <div className={classes.toolbar}>
    <div className={classes.group}>
      <Controls editor={editor} controls={few} />
      <LinkControl editor={editor} />
    </div>
  </div>
)

function Controls({ editor, controls }: { editor: Editor; controls: readonly Control[] }) {
  const state = useEditorState({
    editor,
    selector: ({ editor: { isDestroyed } }) =>
      isDestroyed
        ? ''
        : controls
            .map(([, , run, active, level]) =>
              active && editor.isActive(active, level && { level })
                ? 'p'
                : run(editor.can().chain()).run()
                  ? ' '
                  : 'd',
            )
            .join(''),
  })
  return (
    <div className={classes.group}>
      {controls.map(([label, Icon, run, active], at) => (
        <ControlButton
          key={label}
          label={label}
          isPressed={active === undefined ? undefined : state[at] === 'p'}
          disabled={state[at] === 'd'}
          onClick={() => run(editor.chain().focus()).run()}
        >
          <Icon size={16} stroke={1.5} />
        </ControlButton>
      ))}
    </div>
  )
}

interface ButtonProps {
  label: string
  isPressed?: boolean | undefined
  disabled?: boolean
  onClick: () => void
  children: ReactNode
}

const ControlButton = ({ label, isPressed, disabled, onClick, children }: ButtonProps) => (
  <button
    type="button"
    className={classes.control}
    aria-label={label}
    title={label}
    aria-pressed={isPressed}
    disabled={disabled}
    onClick={onClick}
  >
    {children}
  </button>
)
