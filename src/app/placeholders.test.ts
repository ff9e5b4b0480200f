import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Read as text: the router is the browser's. */
const router = readFileSync(new URL('router.tsx', import.meta.url), 'utf8')
const gaps = readFileSync('docs/spec-gaps.md', 'utf8')

test('the placeholder pages are counted in docs/spec-gaps.md, area by area', () => {
  const pages = router.slice(router.indexOf('const pages: readonly Page[]'))
  const listed = [...pages.matchAll(/\.\.\.unbuilt\('([^']+)', \[(.*?)\]\)/gs)].map(([, area, rows]) => [area!, rows!.match(/\['\//g)!.length] as const)
  const kinds = [...pages.matchAll(/\.\.\.contentKind\('[^']+', '[^']+', '([^']+)'\)/g)].map(([, area]) => [area!, 4] as const)
  const areas = [...listed, ...kinds]
  expect(areas.length).toBeGreaterThan(0)
  for (const [area, count] of areas) expect(gaps).toContain(`- ${area}: ${count}\n`)
  expect(gaps).toContain(`${areas.reduce((sum, [, count]) => sum + count, 0)} addresses show the one page`)
})
