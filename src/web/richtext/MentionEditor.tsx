import type { ComponentProps } from 'react'
import { Mention } from '@tiptap/extension-mention'
import type { EditorCalls } from '#web/richtext/editorOptions.ts'
import { RichTextEditor } from '#web/richtext/RichTextEditor.tsx'
import type { Mentioned } from '#web/richtext/RichTextField.tsx'

/** The editor with mentions, which load only with fields that have them. */
export const MentionEditor = (props: ComponentProps<typeof RichTextEditor>) => (
  <RichTextEditor {...props} mentionsFor={mentionsFor} />
)

function mentionsFor(calls: EditorCalls) {
  return Mention.extend({
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
      items: async ({ query }) => [...((await calls.current?.find(query)) ?? [])],
      render: () => {
        const show = (props: {
          items: Mentioned[]
          clientRect?: (() => DOMRect | null) | null
          command: (by: { id: string; label: string }) => void
        }) => {
          const place = props.clientRect?.()
          if (!place) return
          calls.current?.show({
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
          onExit: () => calls.current?.show(undefined),
          onKeyDown: ({ event }) => {
            if (event.key === 'Escape') calls.current?.show(undefined)
            return calls.current?.isKeyTaken(event.key) ?? false
          },
        }
      },
    },
  })
}
