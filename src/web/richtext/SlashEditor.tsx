import { useState, type ComponentProps, type ReactNode } from 'react'
import { Extension } from '@tiptap/core'
import { PluginKey } from '@tiptap/pm/state'
import { exitSuggestion, Suggestion } from '@tiptap/suggestion'
import { renderMenu, type EditorMenu } from '#web/richtext/editorMenu.ts'
import { toDisplayHtml } from '#web/richtext/purify.ts'
import { RichTextEditor } from '#web/richtext/RichTextEditor.tsx'

/** A menu whose choice is HTML. */
export type SlashMenu = EditorMenu<string>

interface Props extends ComponentProps<typeof RichTextEditor> {
  slashMenu: (menu: SlashMenu) => ReactNode
}

/** The editor with a menu that a slash opens. It loads only with fields that have one. */
export function SlashEditor({ slashMenu, ...props }: Props) {
  const [menu, setMenu] = useState<SlashMenu>()
  const [extension] = useState(() => slashWith(setMenu))
  return (
    <>
      <RichTextEditor {...props} extension={extension} />
      {menu && slashMenu(menu)}
    </>
  )
}

const key = new PluginKey('slashMenu')

const slashWith = (show: (menu: SlashMenu | undefined) => void) =>
  Extension.create({
    name: 'slashMenu',
    onBlur() {
      exitSuggestion(this.editor.view, key)
    },
    addProseMirrorPlugins() {
      return [
        Suggestion<unknown, string>({
          editor: this.editor,
          pluginKey: key,
          char: '/',
          command: ({ editor, range, props: html }) => {
            const start = editor.state.doc.resolve(range.from)
            // Paragraphs replace a paragraph that contains nothing else, so that no empty one stays before them.
            const isAlone = start.parent.content.size === range.to - range.from
            const place = isAlone ? { from: start.before(), to: start.after() } : range
            editor
              .chain()
              .focus()
              .insertContentAt(
                place,
                toDisplayHtml(html, () => undefined),
              )
              .run()
          },
          render: renderMenu(show),
        }),
      ]
    },
  })
