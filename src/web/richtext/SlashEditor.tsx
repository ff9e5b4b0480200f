import { useState, type ComponentProps, type ReactNode } from 'react'
import { Extension } from '@tiptap/core'
import { PluginKey } from '@tiptap/pm/state'
import { exitSuggestion, Suggestion, type SuggestionProps } from '@tiptap/suggestion'
import { toDisplayHtml } from '#web/richtext/purify.ts'
import { RichTextEditor } from '#web/richtext/RichTextEditor.tsx'

/** The props of a menu that a slash opens. */
export interface SlashMenuProps {
  /** The text typed after the slash. */
  query: string
  /** Replaces the slash and what was typed after it; takes HTML. */
  insert: (html: string) => void
  keys: MenuKeys
}

/** The keys of the editor, which the open menu handles first. */
export class MenuKeys {
  #handle: ((key: string) => boolean) | undefined

  /** Sets the function that handles a key, and returns whether it did. */
  use(handle: (key: string) => boolean): void {
    this.#handle = handle
  }

  press = (key: string): boolean => this.#handle?.(key) ?? false
}

type Opened = Pick<SlashMenuProps, 'query' | 'insert'>

interface Props extends Omit<ComponentProps<typeof RichTextEditor>, 'mentionsFor'> {
  renderMenu: (menu: SlashMenuProps) => ReactNode
}

/** The editor with a menu that a slash opens. It loads only with fields that have one. */
export function SlashEditor({ renderMenu, ...props }: Props) {
  const [opened, setOpened] = useState<Opened>()
  const [keys] = useState(() => new MenuKeys())
  const [extension] = useState(() => slashMenu(setOpened, keys))
  return (
    <>
      <RichTextEditor {...props} mentionsFor={() => extension} />
      {opened && renderMenu({ ...opened, keys })}
    </>
  )
}

const key = new PluginKey('slashMenu')

const slashMenu = (show: (opened: Opened | undefined) => void, keys: MenuKeys) =>
  Extension.create({
    name: 'slashMenu',
    onBlur() {
      exitSuggestion(this.editor.view, key)
    },
    addProseMirrorPlugins() {
      const update = ({ query, command }: SuggestionProps<never, string>) => show({ query, insert: command })
      return [
        Suggestion<never, string>({
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
          render: () => ({
            onStart: update,
            onUpdate: update,
            onExit: () => show(undefined),
            onKeyDown: ({ event }) => keys.press(event.key),
          }),
        }),
      ]
    },
  })
