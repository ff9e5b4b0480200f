import { searchText } from '#shared/search-text.ts'
import { choicesOf } from '#web/palette/choices.ts'
import type { PageAct } from '#web/palette/pageActs.ts'

/** Attribute of a part of the page whose buttons the palette offers; its value is the heading above them. */
export const palettePart = 'data-palette-part'

/**
 * Returns the buttons and links that the marked parts of the page show, so that the palette has the same actions
 * and permissions as the page.
 * @param text part of their labels, as searchText returns it
 */
export function shownActs(page: ParentNode, text = ''): PageAct[] {
  const acts: PageAct[] = []
  const found = new Set<Element>()
  for (const part of page.querySelectorAll<HTMLElement>(`[${palettePart}]`))
    for (const button of part.querySelectorAll<HTMLElement>('button:not([disabled]), a[href]')) {
      const label = wordsOf(button)
      // A button that only folds a part of the page is not an action.
      const folds = button.hasAttribute('aria-expanded') && !button.hasAttribute('aria-haspopup')
      if (found.has(button) || folds || label === '' || !searchText(label).includes(text)) continue
      found.add(button)
      const group = part.getAttribute(palettePart)!
      const choices = choicesOf(button)
      acts.push({
        id: `${group}-${acts.length}`,
        group,
        label,
        run: () => press(button),
        ...(choices && { choices }),
      })
    }
  return acts
}

/** Returns what a button says. The title of a value that is edited in place says so, as in “Edit delivery date”. */
const wordsOf = (button: HTMLElement): string =>
  (
    (button.title.startsWith('Edit ') ? button.title : undefined) ??
    button.getAttribute('aria-label') ??
    button.textContent
  ).trim()

/** Focuses the button first, because what it opens returns the focus there. */
function press(button: HTMLElement): void {
  button.focus()
  button.click()
}
