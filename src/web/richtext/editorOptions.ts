import { Extension, type AnyExtension, type Extensions } from '@tiptap/core'
import { Image } from '@tiptap/extension-image'
import { TableKit } from '@tiptap/extension-table'
import type { UseEditorOptions } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { isAllowedLink } from '#shared/html-allowed.ts'
import { completeUrl } from '#shared/urls.ts'
import { pastedFiles } from '#web/files/pastedFiles.ts'
import { fromPasted } from '#web/richtext/paste.ts'
import { toDisplayHtml } from '#web/richtext/purify.ts'
import classes from '#web/richtext/text.module.css'

/** Pasting more characters than this in one go would freeze the browser. */
const longestPaste = 1_500_000

interface Calls {
  changed: () => void
  flushPendingInput: () => void
  insert: (files: readonly File[]) => void
  say: (note: string | undefined) => void
}

/** The functions that the editor calls. The editor is created only once, so they are read at each call. */
export class EditorCalls {
  current: Calls | undefined

  use(calls: Calls): void {
    this.current = calls
  }
}

/** Returns the options of the editor that shows `value`. */
export function editorOptions(
  calls: EditorCalls,
  of: {
    label: string
    value: string
    disabled: boolean | undefined
    /** What this editor has besides formatting. */
    extension: AnyExtension | undefined
    /** Whether Escape moves the focus out of the text, as in the other fields of a composer. */
    leavesOnEscape: boolean
  },
): UseEditorOptions {
  /** Inserts files; returns whether there are any, and the browser then must not handle them. */
  const insert = (files: readonly File[]): boolean => {
    if (files.length > 0) calls.current?.insert(files)
    return files.length > 0
  }
  return {
    extensions: [
      ...extensions,
      ...(of.extension ? [of.extension] : []),
      ...(of.leavesOnEscape ? [LeaveOnEscape] : []),
    ],
    content: toDisplayHtml(of.value, () => undefined),
    editable: !of.disabled,
    // The rules are in editor.module.css.
    injectCSS: false,
    editorProps: {
      attributes: {
        'aria-label': of.label,
        role: 'textbox',
        'aria-multiline': 'true',
        class: `${classes.editor} ${classes.text}`,
      },
      // Ctrl+Enter or ⌘+Enter saves the form, so it must not insert a line break.
      handleKeyDown: (_view, { key, ctrlKey, metaKey }) => key === 'Enter' && (ctrlKey || metaKey),
      transformPastedHTML: (html) => {
        const { html: plain, dropped } = fromPasted(html)
        calls.current?.say(dropped.length ? `Not pasted: ${dropped.join(', ')}.` : undefined)
        return toDisplayHtml(plain, () => undefined)
      },
      handlePaste: (_view, { clipboardData: data }) => {
        if ((data?.getData('text/html') || data?.getData('text/plain') || '').length > longestPaste) {
          calls.current?.say('Too long. Paste smaller parts.')
          return true
        }
        return insert(pastedFiles(data))
      },
      handleDrop: (_view, { dataTransfer }) => insert([...(dataTransfer?.files ?? [])]),
    },
    onUpdate: () => calls.current?.changed(),
    onBlur: () => calls.current?.flushPendingInput(),
  }
}

/** ProseMirror keeps Escape to itself, so that a form around the editor can't handle it. */
const LeaveOnEscape = Extension.create({
  name: 'leaveOnEscape',
  // After menus in the text, which close first.
  priority: 1,
  addKeyboardShortcuts: () => ({
    Escape: ({ editor: { view } }) => {
      if (view.dom.closest('[role=dialog]')) return false
      view.dom.blur()
      return true
    },
  }),
})

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
