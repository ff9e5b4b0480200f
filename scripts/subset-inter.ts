// Generates src/web/styles/inter.woff2, with only the letters, weights, and optical size of Inter that the
// panel uses, from the npm package inter-ui (`npm run font`).
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const mostBytes = 70_000
const letters = [
  [0x20, 0x7e],
  // Latin-1, Latin Extended-A, and Latin Extended-B.
  [0xa0, 0x24f],
] as const
const signs = '‐‑‒–—―‘’‚“”„†‡•…‰′″‹›⁄€₹₽₺№™←↑→↓↔⇧⌘⌥⏎−×÷≈≠≤≥∞✓✗'
const text =
  letters
    .map(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join(''),
    )
    .join('') + signs

const whole = readFileSync(fileURLToPath(import.meta.resolve('inter-ui/variable/InterVariable.woff2')))
const font = await subsetFont(whole, text, {
  targetFormat: 'woff2',
  variationAxes: { wght: { min: 400, max: 600 }, opsz: 14 },
})
if (font.length > mostBytes) throw new Error(`${font.length} bytes are more than ${mostBytes}.`)
writeFileSync(new URL('../src/web/styles/inter.woff2', import.meta.url), font)
console.log(`${font.length} bytes`)
