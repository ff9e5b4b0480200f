import { use, useEffect, useEffectEvent, useRef, useState } from 'react'
import { RichTextEditor as Toolbar } from '@mantine/tiptap'
import '@mantine/tiptap/styles.css'
import IconAt from '@tabler/icons-react/dist/esm/icons/IconAt.mjs'
import IconFileSymlink from '@tabler/icons-react/dist/esm/icons/IconFileSymlink.mjs'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import { Extension, type Editor, type Extensions } from '@tiptap/core'
import { Image } from '@tiptap/extension-image'
import { Mention } from '@tiptap/extension-mention'
import { TableKit } from '@tiptap/extension-table'
import { useEditor, type UseEditorOptions } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import type { FileRef } from '#shared/files.ts'
import { acceptOf } from '#shared/file-kinds.ts'
import { isAllowedLink } from '#shared/html-allowed.ts'
import { completeUrl } from '#shared/urls.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import { InnerContext } from '#web/form/inner.ts'
import { useFileRefs } from '#web/files/useFileRefs.ts'
import { fromPasted } from '#web/richtext/paste.ts'
import { filesIn, toDisplayHtml } from '#web/richtext/purify.ts'
import type {
  ChosenLink,
  InsertedPicture,
  Mentioned,
  RichTextFieldProps,
} from '#web/richtext/RichTextField.tsx'
import { textOf, writeAhead } from '#web/richtext/textOf.ts'
import classes from '#web/richtext/text.module.css'

type Props = Pick<
  RichTextFieldProps,
  'label' | 'onChange' | 'disabled' | 'findStaff' | 'PictureDialog' | 'links'
> & {
  value: string
  sendPicture: ((file: File) => Promise<FileRef>) | null
}

/** Pasting more characters than this in one go would freeze the browser. */
const longestPaste = 1_500_000

/**
 * The form receives the text when the user pauses for this long, or when the form requests it: comparing,
 * validating, and rendering must not slow down typing.
 */
const pauseMs = 400

interface People {
  items: readonly Mentioned[]
  selected: number
  at: { left: number; top: number }
  choose: (one: Mentioned) => void
}

/** An image refers to a stored file; its URL is temporary. */
const Picture = Image.extend({
  addAttributes() {
    return {
      ...this.parent?.(),
      fileId: {
        default: null,
        parseHTML: (element) => element.getAttribute('data-file-id'),
        renderHTML: ({ fileId }) => ({ 'data-file-id': String(fileId) }),
      },
    }
  },
  parseHTML: () => [{ tag: 'img[data-file-id]' }],
})

/** Toolbar and text area. Loaded only by RichTextField. */
export function RichTextEditor({
  label,
  value,
  onChange,
  disabled,
  sendPicture,
  findStaff,
  PictureDialog,
  links,
}: Props) {
  const around = use(InnerContext)
  const [choosing, setChoosing] = useState<readonly File[]>()
  const [isLinking, setLinking] = useState(false)
  const [note, setNote] = useState<string>()
  const [people, setPeople] = useState<People>()
  const emitted = useRef(value)
  const chooser = useRef<HTMLInputElement>(null)
  const editorRef = useRef<Editor>(undefined)
  const refs = useFileRefs(filesIn(value))

  /**
   * Timer for input that the form has not received yet, and the function that withdraws the report of that
   * input.
   */
  const flushTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const withdrawReport = useRef<() => void>(undefined)
  const settle = () => {
    clearTimeout(flushTimer.current)
    withdrawReport.current?.()
    flushTimer.current = withdrawReport.current = undefined
  }
  const flushPendingInput = useEffectEvent(() => {
    if (!flushTimer.current) return
    settle()
    onChange((emitted.current = textOf(editorRef.current!)))
  })
  const drop = useEffectEvent(() => {
    settle()
    setText(emitted.current)
  })
  const changed = useEffectEvent(() => {
    clearTimeout(flushTimer.current)
    // The form receives the input immediately if there is no form that would request it later.
    flushTimer.current = setTimeout(() => flushPendingInput(), pauseMs)
    if (around.late)
      withdrawReport.current ??= around.late({
        flushPendingInput: () => flushPendingInput(),
        drop: () => drop(),
      })
    else flushPendingInput()
  })
  const insert = useEffectEvent((files: readonly File[]) => void insertPictures(files))
  const show = useEffectEvent(setPeople)
  const find = useEffectEvent(async (query: string) =>
    findStaff ? (await findStaff(query)).slice(0, 8) : [],
  )
  const isKeyTaken = useEffectEvent((key: string) => takeKey(key))
  const say = useEffectEvent(setNote)
  // The editor is created only once, so it calls the current functions through this ref.
  const reach = useRef<Reach>(undefined)
  useEffect(() => {
    reach.current = {
      changed: () => changed(),
      flushPendingInput: () => flushPendingInput(),
      insert: (files) => insert(files),
      show: (one) => show(one),
      find: (query) => find(query),
      isKeyTaken: (key) => isKeyTaken(key),
      say: (text) => say(text),
    }
  }, [])

  const withMentions = findStaff !== undefined
  // Kept in state, because an editor that gets new options renders all of its text again.
  const [options] = useState((): UseEditorOptions => ({
    extensions: extensionsFor(reach, withMentions),
    content: toDisplayHtml(value, () => undefined),
    editable: !disabled,
    editorProps: {
      attributes: {
        'aria-label': label,
        role: 'textbox',
        'aria-multiline': 'true',
        class: `${classes.editor} ${classes.text}`,
      },
      // Ctrl+Enter or ⌘+Enter saves the form, so it must not insert a line break.
      handleKeyDown: (_view, { key, ctrlKey, metaKey }) => key === 'Enter' && (ctrlKey || metaKey),
      transformPastedHTML: (html) => {
        const { html: plain, dropped } = fromPasted(html)
        reach.current?.say(dropped.length ? `Not pasted: ${dropped.join(', ')}.` : undefined)
        return toDisplayHtml(plain, () => undefined)
      },
      handlePaste: (_view, { clipboardData: data }) => {
        if ((data?.getData('text/html') || data?.getData('text/plain') || '').length > longestPaste) {
          reach.current?.say('Too long. Paste smaller parts.')
          return true
        }
        const files = [...(data?.files ?? [])]
        // Word adds an image of the text to the clipboard along with the text.
        if (files.length === 0 || data?.types.includes('text/html')) return false
        reach.current?.insert(files)
        return true
      },
      handleDrop: (_view, event) => {
        const files = [...(event.dataTransfer?.files ?? [])]
        if (files.length === 0) return false
        event.preventDefault()
        reach.current?.insert(files)
        return true
      },
    },
    onUpdate: () => reach.current?.changed(),
    onBlur: () => reach.current?.flushPendingInput(),
  }))
  const editor = useEditor(options)
  useEffect(() => {
    if (editor) writeAhead((editorRef.current = editor))
  }, [editor])
  useEffect(() => () => flushPendingInput(), [])

  // The value was changed from outside, for example by restoring or discarding a draft, not typed here.
  useEffect(() => {
    if (!editor || value === emitted.current) return
    settle()
    setText(value)
    emitted.current = value
  }, [editor, value])

  function setText(html: string): void {
    editorRef.current!.commands.setContent(
      toDisplayHtml(html, () => undefined),
      { emitUpdate: false },
    )
  }

  useEffect(() => {
    if (!editor) return
    const { state, view } = editor
    const change = state.tr
    state.doc.descendants((node, position) => {
      const url = node.type.name === 'image' ? refs.get(Number(node.attrs['fileId']))?.url : undefined
      if (url !== undefined && node.attrs['src'] !== url) change.setNodeAttribute(position, 'src', url)
    })
    if (change.docChanged) view.dispatch(change.setMeta('addToHistory', false).setMeta('preventUpdate', true))
  }, [editor, refs, value])

  function insertPicture({ file, alt }: InsertedPicture): void {
    const it = editorRef.current
    // Insert after the selection: the previous image is selected and would otherwise be replaced.
    it?.chain()
      .focus()
      .insertContentAt(it.state.selection.to, {
        type: 'image',
        attrs: { fileId: String(file.id), src: file.url, alt },
      })
      .run()
  }

  function insertLink({ href, text }: ChosenLink): void {
    setLinking(false)
    const chain = editor?.chain().focus()
    if (!editor?.state.selection.empty) chain?.setLink({ href }).run()
    // Text typed after the link must not become part of it.
    else
      chain
        ?.insertContent({ type: 'text', text, marks: [{ type: 'link', attrs: { href } }] })
        .unsetMark('link')
        .run()
  }

  async function insertPictures(chosen: readonly File[]): Promise<void> {
    if (!sendPicture) return setNote('Images aren’t allowed here.')
    if (PictureDialog) return setChoosing(chosen)
    const sent = around.busy()
    for (const file of chosen) {
      setNote(`Uploading ${file.name}…`)
      try {
        const ref = await sendPicture(file)
        insertPicture({ file: ref, alt: ref.name })
        setNote(undefined)
      } catch (error) {
        setNote(errorMessageOf(error))
      }
    }
    sent()
  }

  function takeKey(key: string): boolean {
    if (!people || people.items.length === 0) return false
    const move = (by: number) =>
      setPeople({ ...people, selected: (people.selected + by + people.items.length) % people.items.length })
    if (key === 'ArrowDown') move(1)
    else if (key === 'ArrowUp') move(-1)
    else if (key === 'Enter' || key === 'Tab') people.choose(people.items[people.selected]!)
    else return false
    return true
  }

  return (
    <>
      <Toolbar
        withTypographyStyles={false}
        editor={editor}
        labels={{ linkControlLabel: 'Link', tableInsertControlLabel: 'Insert table' }}
        withCodeHighlightStyles={false}
      >
        <Toolbar.Toolbar>
          <Toolbar.ControlsGroup>
            <Toolbar.H1 />
            <Toolbar.H2 />
            <Toolbar.H3 />
          </Toolbar.ControlsGroup>
          <Toolbar.ControlsGroup>
            <Toolbar.Bold />
            <Toolbar.Italic />
            <Toolbar.Underline />
            <Toolbar.Strikethrough />
            <Toolbar.Code />
            <Toolbar.ClearFormatting />
          </Toolbar.ControlsGroup>
          <Toolbar.ControlsGroup>
            <Toolbar.BulletList />
            <Toolbar.OrderedList />
            <Toolbar.Blockquote />
            <Toolbar.CodeBlock />
            <Toolbar.Hr />
          </Toolbar.ControlsGroup>
          <Toolbar.ControlsGroup>
            <Toolbar.Link />
            <Toolbar.Unlink />
            {links && (
              <Toolbar.Control aria-label={links.label} title={links.label} onClick={() => setLinking(true)}>
                <IconFileSymlink size={16} stroke={1.5} />
              </Toolbar.Control>
            )}
            <Toolbar.TableInsert />
            {sendPicture && (
              <Toolbar.Control
                aria-label="Image"
                title="Image"
                onClick={() => (PictureDialog ? setChoosing([]) : chooser.current?.click())}
              >
                <IconPhoto size={16} stroke={1.5} />
              </Toolbar.Control>
            )}
            {withMentions && (
              <Toolbar.Control
                aria-label="Mention someone"
                title="Mention someone"
                onClick={() => editor?.chain().focus().insertContent('@').run()}
              >
                <IconAt size={16} stroke={1.5} />
              </Toolbar.Control>
            )}
          </Toolbar.ControlsGroup>
          <Toolbar.ControlsGroup>
            <Toolbar.Undo />
            <Toolbar.Redo />
          </Toolbar.ControlsGroup>
        </Toolbar.Toolbar>
        <Toolbar.Content />
      </Toolbar>
      <input
        ref={chooser}
        type="file"
        hidden
        multiple
        aria-label={`Images for ${label}`}
        accept={acceptOf(['image'])}
        onChange={({ currentTarget }) => {
          void insertPictures([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
      {note !== undefined && (
        <p className={classes.note} role="status">
          {note}
        </p>
      )}
      {choosing && PictureDialog && (
        <PictureDialog files={choosing} onInsert={insertPicture} onClose={() => setChoosing(undefined)} />
      )}
      {links && isLinking && <links.Dialog onChoose={insertLink} onClose={() => setLinking(false)} />}
      {people && people.items.length > 0 && (
        <ul className={classes.people} style={people.at} role="listbox" aria-label="Staff">
          {people.items.map((one, index) => (
            <li
              key={one.id}
              className={classes.person}
              role="option"
              aria-selected={index === people.selected}
              onMouseDown={(event) => {
                event.preventDefault()
                people.choose(one)
              }}
            >
              {one.name}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

interface Reach {
  changed: () => void
  flushPendingInput: () => void
  insert: (files: readonly File[]) => void
  show: (people: People | undefined) => void
  find: (query: string) => Promise<readonly Mentioned[]>
  isKeyTaken: (key: string) => boolean
  say: (note: string | undefined) => void
}

/** Completes URLs that are typed into the link dialog without their scheme. */
const LinkCompletion = Extension.create({
  name: 'linkCompletion',
  // Extensions with a lower priority replace the commands of others.
  priority: 1,
  addCommands: () => ({
    setLink: (attributes) => (props) => {
      const href = completeUrl(attributes.href)
      if (!isAllowedLink(href)) return false
      return props
        .chain()
        .setMark('link', { ...attributes, href })
        .setMeta('preventAutolink', true)
        .run()
    },
  }),
})

function extensionsFor(reach: { readonly current: Reach | undefined }, withMentions: boolean): Extensions {
  const extensions: Extensions = [
    StarterKit.configure({
      link: {
        openOnClick: false,
        autolink: true,
        defaultProtocol: 'https',
        isAllowedUri: (address) => isAllowedLink(address),
        HTMLAttributes: { target: null, rel: null },
      },
    }),
    LinkCompletion,
    TableKit.configure({ table: { resizable: false } }),
    Picture,
  ]
  if (!withMentions) return extensions
  return [
    ...extensions,
    Mention.extend({
      parseHTML: () => [
        {
          tag: 'span[data-mention]',
          getAttrs: (element) => ({
            id: element.getAttribute('data-mention'),
            label: element.textContent?.replace(/^@/, '') ?? '',
          }),
        },
      ],
    }).configure({
      renderText: ({ node }) => `@${String(node.attrs['label'])}`,
      renderHTML: ({ node }) => [
        'span',
        { 'data-mention': String(node.attrs['id']) },
        `@${String(node.attrs['label'])}`,
      ],
      suggestion: {
        items: async ({ query }) => [...((await reach.current?.find(query)) ?? [])],
        render: () => {
          const show = (props: {
            items: Mentioned[]
            clientRect?: (() => DOMRect | null) | null
            command: (by: { id: string; label: string }) => void
          }) => {
            const place = props.clientRect?.()
            if (!place) return
            reach.current?.show({
              items: props.items,
              selected: 0,
              at: {
                left: Math.min(place.left, window.innerWidth - 200),
                top: Math.min(place.bottom + 4, window.innerHeight - 230),
              },
              choose: (one) => props.command({ id: String(one.id), label: one.name }),
            })
          }
          return {
            onStart: show,
            onUpdate: show,
            onExit: () => reach.current?.show(undefined),
            onKeyDown: ({ event }) => {
              if (event.key === 'Escape') reach.current?.show(undefined)
              return reach.current?.isKeyTaken(event.key) ?? false
            },
          }
        },
      },
    }),
  ]
}
