import { expect, test, vi } from 'vitest'
import { shownActs } from '#web/palette/shownActs.tsx'

test('the palette offers what the marked parts of a page show, each button once, and presses it', () => {
  const pressed = vi.fn()
  document.body.innerHTML = `
    <button>Outside</button>
    <div data-palette-part="This page">
      <button>New lead</button>
      <a class="mantine-Button-root" href="/demo-leads/import">Import</a>
      <button disabled>Delete</button>
      <button title="Edit Delivery date" data-changes="Delivery date">24 Nov 2026</button>
      <button aria-label="Status of Scanner: Open" data-changes="Status" data-value="Open">Open</button>
      <button aria-label="Edit Priority" data-changes="Priority">—</button>
      <a href="/users/7">Bela Fontaine</a><a href="tel:+15550135">+1 555 0135</a><a href="mailto:a@b.example">a@b.example</a>
      <button aria-expanded="false">Show 3 empty fields</button>
      <button aria-expanded="false" aria-haspopup="menu" aria-label="More"></button>
      <div data-palette-part="This page"><button>Nested</button></div>
    </div>
    <div data-palette-part="Selected rows"><button>Change status</button></div>`
  document.querySelector('[data-palette-part="Selected rows"] button')!.addEventListener('click', pressed)
  const acts = shownActs(document)
  expect(acts.map(({ group, label, detail = '' }) => [group, `${label} ${detail}`.trim()])).toEqual([
    ['This page', 'New lead'],
    ['This page', 'Import'],
    ['This page', 'Change delivery date 24 Nov 2026'],
    ['This page', 'Change status Open'],
    ['This page', 'Change priority'],
    ['This page', 'Open Bela Fontaine'],
    ['This page', 'Call +1 555 0135'],
    ['This page', 'Email a@b.example'],
    ['This page', 'More'],
    ['This page', 'Nested'],
    ['Selected rows', 'Change status'],
  ])
  expect(new Set(acts.map(({ id }) => id)).size).toBe(acts.length)
  expect(shownActs(document, 'nov 2026').map(({ label }) => label)).toEqual(['Change delivery date'])
  acts.at(-1)!.run()
  expect(pressed).toHaveBeenCalledOnce()
  expect(document.activeElement?.textContent).toBe('Change status')
})
