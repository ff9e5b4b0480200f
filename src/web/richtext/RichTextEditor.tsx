// The React Compiler would add a kilobyte to the largest download of a form. Typing does not render this
// component.
'use no memo'

import { use, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { AnyExtension, Editor } from '@tiptap/core'
import { NodeSelection, TextSelection, type Transaction } from '@tiptap/pm/state'
import { EditorContent, useEditor } from '@tiptap/react'
import type { FileRef } from '#shared/files.ts'
import { acceptOf, isShownByMail } from '#shared/file-kinds.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import { InnerContext } from '#web/form/inner.ts'
import { useFileRefs } from '#web/files/useFileRefs.ts'
import type { Selected } from '#web/richtext/earlyText.ts'
import { EditorCalls, editorOptions } from '#web/richtext/editorOptions.ts'
import { BareToolbar, EditorToolbar } from '#web/richtext/EditorToolbar.tsx'
import frame from '#web/richtext/editor.module.css'
import { FormText } from '#web/richtext/FormText.ts'
import { filesIn } from '#web/richtext/purify.ts'
import type { ChosenLink, InsertedPicture, RichTextFieldProps } from '#web/richtext/RichTextField.tsx'
import { writeAhead } from '#web/richtext/textOf.ts'
import { withTypedSpace } from '#web/richtext/typedSpace.ts'
import classes from '#web/richtext/text.module.css'

type Props = Pick<
  RichTextFieldProps,
  'label' | 'onChange' | 'disabled' | 'PictureDialog' | 'links' | 'insertRef' | 'hasFewTools'
> & {
  value: string
  sendPicture: ((file: File) => Promise<FileRef>) | null
  /** Receives pasted and dropped files that are not inserted into the text: all but images that `sendPicture` takes. */
  takeFiles?: (files: readonly File[]) => void
  /** Additions to the formatting, see `MentionEditor` and `SlashEditor`. */
  extension?: AnyExtension
  hasMentions?: boolean
  /** Without a frame, and with few buttons, for a composer. */
  isBare?: boolean
  /** The selection of the field that the editor replaces, if it had the focus. */
  startRef?: RefObject<Selected | undefined>
}

/** Toolbar and text area. Loaded only by RichTextField. */
export function RichTextEditor(props: Props) {
  const { label, value, disabled, extension, hasMentions = false, PictureDialog, links, isBare } = props
  const hasFewTools = isBare || props.hasFewTools
  const [isLinking, setLinking] = useState(false)
  const [note, setNote] = useState<string>()
  const [calls] = useState(() => new EditorCalls())
  // Kept in state, because an editor that gets new options renders all of its text again.
  const [options] = useState(() =>
    editorOptions(calls, { label, value, disabled, extension, leavesOnEscape: isBare === true }),
  )
  const editor = useEditor(options)
  useStart(editor, props.startRef)
  useInsertRef(editor, props.insertRef)
  const text = useFormText(editor, props)
  const pictures = usePictures(editor, props, setNote)
  useSignedImages(editor, value)
  useLayoutEffect(() =>
    calls.use({
      changed: text.changed,
      flushPendingInput: text.flushPendingInput,
      insert: (files) => void pictures.insertFiles(files),
      say: (words) => setNote(words),
    }),
  )

  return (
    <>
      <div className={isBare ? frame.bare : frame.frame}>
        {editor && !hasFewTools && (
          <EditorToolbar
            editor={editor}
            link={links && { label: links.label, onClick: () => setLinking(true) }}
            onPicture={props.sendPicture ? pictures.choose : undefined}
            hasMentions={hasMentions}
          />
        )}
        <EditorContent editor={editor} />
        {editor && hasFewTools && <BareToolbar editor={editor} />}
      </div>
      {pictures.chooser}
      {note !== undefined && (
        <p className={classes.note} role="status">
          {note}
        </p>
      )}
      {pictures.choosing && PictureDialog && (
        <PictureDialog
          files={pictures.choosing}
          onInsert={pictures.insertOne}
          onClose={() => pictures.setChoosing(undefined)}
        />
      )}
      {links && isLinking && (
        <links.Dialog
          onChoose={(link) => {
            setLinking(false)
            insertLink(editor, link)
          }}
          onClose={() => setLinking(false)}
        />
      )}
    </>
  )
}

/**
 * Takes over the focus and the selection of the field in which the user was typing. The editor's own `autofocus`
 * does so some frames later, and keys typed until then would be lost.
 */
function useStart(editor: Editor | null, startRef: Props['startRef']): void {
  useLayoutEffect(() => {
    if (!editor || !startRef?.current) return
    const start = startRef.current
    const offset = start.sizeAtEnd === undefined ? 0 : editor.state.doc.content.size - start.sizeAtEnd
    editor.commands.setTextSelection({ from: offset + start.from, to: offset + start.to })
    editor.view.dispatch(withTypedSpace(editor.state.tr))
    editor.view.focus()
  }, [editor, startRef])
}

function useInsertRef(editor: Editor | null, ref: Props['insertRef']): void {
  useEffect(() => {
    if (!ref) return
    ref.current = (text) => {
      if (!editor) return
      const { parent, parentOffset } = editor.state.selection.$from
      // A slash opens its menu only at the beginning of a word.
      const isInWord = text === '/' && /\S$/.test(parent.textBetween(0, parentOffset, undefined, ' '))
      editor
        .chain()
        .focus()
        .insertContent({ type: 'text', text: isInWord ? ` ${text}` : text })
        .run()
    }
  }, [editor, ref])
}

function insertLink(editor: Editor | null, { href, text }: ChosenLink): void {
  const chain = editor?.chain().focus()
  if (!editor?.state.selection.empty) chain?.setLink({ href }).run()
  // Text typed after the link must not become part of it.
  else
    chain
      ?.insertContent({ type: 'text', text, marks: [{ type: 'link', attrs: { href } }] })
      .unsetMark('link')
      .run()
}

function useFormText(editor: Editor | null, { value, onChange }: Props): FormText {
  const { late } = use(InnerContext)
  const [text] = useState(() => new FormText(value))
  useLayoutEffect(() => {
    if (editor) text.connect(editor, { onChange, late })
  }, [text, editor, onChange, late])
  useEffect(() => {
    if (editor) writeAhead(editor)
  }, [editor])
  useEffect(() => () => text.flushPendingInput(), [text])
  useEffect(() => {
    if (editor) text.show(value)
  }, [text, editor, value])
  return text
}

/** Gives each image of the text a URL, which the stored text doesn't have. */
function useSignedImages(editor: Editor | null, value: string): void {
  const refs = useFileRefs(filesIn(value))
  useEffect(() => {
    if (!editor || value === '') return
    const { state, view } = editor
    const change = state.tr
    state.doc.descendants((node, position) => {
      const url = node.type.name === 'image' ? refs.get(Number(node.attrs['fileId']))?.url : undefined
      if (url !== undefined && node.attrs['src'] !== url) change.setNodeAttribute(position, 'src', url)
    })
    if (change.docChanged) view.dispatch(change.setMeta('addToHistory', false).setMeta('preventUpdate', true))
  }, [editor, refs, value])
}

/** Puts the cursor into the line below a selected image, which the next key would replace otherwise. */
function putCursorBelow(change: Transaction): boolean {
  if (!(change.selection instanceof NodeSelection)) return true
  const { pos, nodeAfter } = change.selection.$to
  if (!nodeAfter?.isTextblock) change.insert(pos, change.doc.type.schema.node('paragraph'))
  change.setSelection(TextSelection.create(change.doc, pos + 1))
  return true
}

/** Inserts images into the text; the `PictureDialog` is open while `choosing` is set. */
function usePictures(
  editor: Editor | null,
  { label, sendPicture, PictureDialog, takeFiles }: Props,
  say: (note: string | undefined) => void,
) {
  const around = use(InnerContext)
  const input = useRef<HTMLInputElement>(null)
  const [choosing, setChoosing] = useState<readonly File[]>()
  const choose = () => (PictureDialog ? setChoosing([]) : input.current?.click())

  function insertOne({ file, alt }: InsertedPicture): void {
    editor
      ?.chain()
      .focus()
      .insertContentAt(editor.state.selection.to, {
        type: 'image',
        attrs: { fileId: String(file.id), src: file.url, alt },
      })
      .command(({ tr }) => putCursorBelow(tr))
      .run()
  }

  async function insertFiles(chosen: readonly File[]): Promise<void> {
    const pictures = takeFiles ? chosen.filter(({ type }) => sendPicture && isShownByMail(type)) : chosen
    const others = chosen.filter((file) => !pictures.includes(file))
    if (others.length > 0) takeFiles?.(others)
    if (pictures.length === 0) return
    if (!sendPicture) return say('Images aren’t allowed here.')
    if (PictureDialog) return setChoosing(chosen)
    const sent = around.busy()
    for (const file of pictures) {
      say(`Uploading ${file.name}…`)
      try {
        const ref = await sendPicture(file)
        insertOne({ file: ref, alt: ref.name })
        say(undefined)
      } catch (error) {
        say(errorMessageOf(error))
      }
    }
    sent()
  }

  const chooser = (
    <input
      ref={input}
      type="file"
      hidden
      multiple
      aria-label={`Images for ${label}`}
      accept={acceptOf(['image'])}
      onChange={({ currentTarget }) => {
        void insertFiles([...(currentTarget.files ?? [])])
        currentTarget.value = ''
      }}
    />
  )
  return { choosing, setChoosing, choose, chooser, insertOne, insertFiles }
}
