import { expect, test, vi } from 'vitest'
import { shownActs } from '#web/palette/shownActs.ts'

test('the palette offers what the marked parts of a page show, each button once, and presses it', () => {
  const pressed = vi.fn()
  document.body.innerHTML = `
    <button>Outside</button>
    <div data-palette-part="This page">
      <button>New lead</button>
      <a href="/demo-leads/import">Import</a>
      <button disabled>Delete</button>
      <button aria-label="Delivery date" title="Edit delivery date">24 Nov 2026</button>
      <button aria-expanded="false">Show 3 empty fields</button>
      <button aria-expanded="false" aria-haspopup="menu" aria-label="More"></button>
      <div data-palette-part="This page"><button>Nested</button></div>
    </div>
    <div data-palette-part="Selected rows"><button>Change status</button></div>`
  document.querySelector('[data-palette-part="Selected rows"] button')!.addEventListener('click', pressed)
  const acts = shownActs(document)
  expect(acts.map(({ group, label }) => [group, label])).toEqual([
    ['This page', 'New lead'],
    ['This page', 'Import'],
    ['This page', 'Edit delivery date'],
    ['This page', 'More'],
    ['This page', 'Nested'],
    ['Selected rows', 'Change status'],
  ])
  expect(new Set(acts.map(({ id }) => id)).size).toBe(acts.length)
  acts.at(-1)!.run()
  expect(pressed).toHaveBeenCalledOnce()
  expect(document.activeElement?.textContent).toBe('Change status')
})
