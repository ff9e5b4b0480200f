import type { ReactNode } from 'react'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPhone from '@tabler/icons-react/dist/esm/icons/IconPhone.mjs'
import { searchText } from '#shared/search-text.ts'
import { choicesOf } from '#web/palette/choices.ts'
import type { PageAct } from '#web/palette/pageActs.ts'

/** Attribute of a part of the page whose buttons the palette offers; its value is the heading above them. */
const palettePart = 'data-palette-part'
const size = 16
/** A longer value, such as a description, is left out. */
const longestValue = 60

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
      const words = wordsOf(button)
      // A button that only folds a part of the page is not an action.
      const folds = button.hasAttribute('aria-expanded') && !button.hasAttribute('aria-haspopup')
      if (found.has(button) || folds || words.label === '' || !matches(words, text)) continue
      found.add(button)
      const group = part.getAttribute(palettePart)!
      const choices = choicesOf(button)
      acts.push({
        ...words,
        id: `${group}-${acts.length}`,
        group,
        icon: iconOf(button),
        run: () => press(button),
        ...(choices && { choices }),
      })
    }
  return acts
}

type Words = Pick<PageAct, 'label' | 'detail'>

/** Returns whether an action's label or current value has a text, as searchText returns it. */
export const matches = ({ label, detail = '' }: Words, text: string): boolean =>
  searchText(`${label} ${detail}`).includes(text)

/** Returns what a button says, such as `Change status` and `Open`, or where a link leads. */
function wordsOf(button: HTMLElement): Words {
  const { changes } = button.dataset
  if (changes !== undefined) {
    const detail = valueOf(button)
    return {
      label: `Change ${changes.charAt(0).toLowerCase()}${changes.slice(1)}`,
      ...(detail && { detail }),
    }
  }
  const said = (button.getAttribute('aria-label') ?? button.textContent).trim()
  const verb = verbOf(button)
  return { label: verb === undefined || said === '' ? said : `${verb} ${said}` }
}

/** Returns the value that a button changes; undefined if there is none or it is beside the button. */
function valueOf(button: HTMLElement): string | undefined {
  const value = button.dataset['value'] ?? (button.hasAttribute('data-beside') ? '' : button.textContent)
  return value === '' || value === '—' || value.length > longestValue ? undefined : value
}

/** Returns the verb for a link whose text is a name, an address, or a number; undefined for a button. */
function verbOf(button: HTMLElement): string | undefined {
  const address = button.getAttribute('href')
  if (address === null || button.classList.contains('mantine-Button-root')) return undefined
  return address.startsWith('tel:') ? 'Call' : address.startsWith('mailto:') ? 'Email' : 'Open'
}

/** Returns the button's own icon, or one for what it does. */
function iconOf(button: HTMLElement): ReactNode {
  if (button.dataset['changes'] !== undefined) return <IconPencil size={size} aria-hidden />
  const own = button.querySelector('svg')
  if (own) return <Copied icon={own} />
  const Icon = { Call: IconPhone, Email: IconMail, Open: IconArrowRight }[verbOf(button) ?? 'Open']
  return Icon && <Icon size={size} aria-hidden />
}

/** A copy of an icon of the page. */
const Copied = ({ icon }: { icon: Element }) => (
  <span
    aria-hidden
    ref={(place) => {
      const copy = icon.cloneNode(true) as Element
      copy.setAttribute('width', String(size))
      copy.setAttribute('height', String(size))
      place?.replaceChildren(copy)
    }}
  />
)

/** Focuses the button first, because what it opens returns the focus there. */
function press(button: HTMLElement): void {
  button.focus()
  button.click()
}
