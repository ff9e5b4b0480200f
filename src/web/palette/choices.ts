/** An option of a field that is edited in place, as the palette offers it. */
export interface PaletteChoice {
  id: string
  label: string
  isCurrent: boolean
  /** Why it can't be chosen right now. */
  whyNot?: string | undefined
  run: () => void
}

const choices = new WeakMap<Element, () => readonly PaletteChoice[]>()

/** Returns the options of the menu that a button opens; undefined if it doesn't offer them to the palette. */
export const choicesOf = (button: Element): readonly PaletteChoice[] | undefined => choices.get(button)?.()

/** Returns a `ref` of a menu's button, which offers the options of the menu to the palette. */
export const offersChoices =
  (of: () => readonly PaletteChoice[]) =>
  (button: HTMLButtonElement | null): void => {
    if (button) choices.set(button, of)
  }
