import type { MouseEvent } from 'react'
import { copyText } from '#web/copyText.ts'
import type { PageAct } from '#web/palette/pageActs.ts'
import type { PaletteHit } from '#web/palette/Palette.tsx'

/** The second step of the palette: the options of an action, or the actions of a result. */
export interface PaletteStep extends PageAct {
  /** Placeholder of the field. */
  prompt?: string
  /** What Enter does. */
  enter?: string
  /** The search to return to. */
  search?: string
}

/**
 * Returns what can be done with a result.
 * @param go opens a page
 */
export function resultActs({ label, to, acts = [] }: PaletteHit, go: (to: string) => void): PaletteStep {
  const offered: readonly (readonly [label: string, run: () => void])[] = [
    ['Open', () => go(to)],
    ['Open in a new tab', () => void window.open(to, '_blank', 'noopener')],
    ['Copy link', () => void copyText(new URL(to, location.href).href, 'Link copied.')],
    ...acts.map(
      (act) =>
        [
          act.label,
          () => (act.to === undefined ? void copyText(act.copy ?? '', `${act.copy} copied.`) : go(act.to)),
        ] as const,
    ),
  ]
  return {
    id: `acts-${to}`,
    label: `Actions of ${label}`,
    prompt: 'Choose an action…',
    enter: 'run',
    run: () => {},
    choices: offered.map(([name, run]) => ({ id: `${to}-${name}`, label: name, isCurrent: false, run })),
  }
}

/** Returns the result that is marked; undefined if it is something else, such as an action. */
export function markedHit(hits: readonly PaletteHit[]): PaletteHit | undefined {
  const to = document.querySelector<HTMLElement>('[data-action][data-selected]')?.dataset['to']
  return to === undefined ? undefined : hits.find((hit) => hit.to === to)
}

/** Returns a handler that shows actions where a browser would show its menu. */
export const opensActs = (show: () => void) => (event: MouseEvent) => {
  event.preventDefault()
  show()
}
