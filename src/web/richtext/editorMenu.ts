import type { SuggestionProps } from '@tiptap/suggestion'

/** A menu that a character opens in the text. */
export interface EditorMenu<Chosen> {
  /** The text typed after the character. */
  query: string
  /** Replaces the character and the text typed after it. */
  choose: (chosen: Chosen) => void
  /** The place of the character in the window. */
  place: DOMRect | undefined
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

/** Returns how a suggestion shows its menu: `show` gets the open menu, and undefined when it closes. */
export const renderMenu =
  <Chosen>(show: (menu: EditorMenu<Chosen> | undefined) => void) =>
  () => {
    const keys = new MenuKeys()
    const update = ({ query, command, clientRect }: SuggestionProps<unknown, Chosen>) =>
      show({ query, choose: command, place: clientRect?.() ?? undefined, keys })
    return {
      onStart: update,
      onUpdate: update,
      onExit: () => show(undefined),
      // With Shift, Tab leaves the text, and the arrows select in it.
      onKeyDown: ({ event }: { event: KeyboardEvent }) => !event.shiftKey && keys.press(event.key),
    }
  }
