import type { Browser, Locator, Page } from '@playwright/test'
import { loadCold } from './cold.ts'

const slowdown = 4
const times = 5

export interface Interaction {
  name: string
  /** Milliseconds from the input to the next frame, sorted; the browser's own Event Timing, as for INP. */
  ms: number[]
}

/** What the acts of a day in the lead list take until the screen shows them, with the CPU slowed. Event Timing counts in steps of 8 ms. */
export async function measureInteractions(browser: Browser, origin: string): Promise<Interaction[]> {
  const { page } = await loadCold(browser, origin, '/demo-leads?fromDate=all&toDate=all', 'crm')
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.evaluate(() => {
    const seen: number[] = []
    Object.assign(globalThis, { seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ((entry as unknown as { interactionId: number }).interactionId) seen.push(entry.duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })
  const search = page.getByRole('searchbox', { name: 'Search leads' })
  const acts: [name: string, act: (index: number) => Promise<void>][] = [
    ['typing in search', async () => page.keyboard.type('lin', { delay: 120 })],
    [
      "opening a row's status menu",
      async (index) => {
        await click(page, page.getByRole('button', { name: /^Status of / }).nth(index))
        // Not awaited at once: what looks for it would run in the page while it opens.
        await settle(page)
        await page.getByRole('menu').waitFor()
        await page.keyboard.press('Escape')
      },
    ],
    ['sorting', async () => click(page, page.getByRole('columnheader', { name: 'Company' }).getByRole('button').first())],
    ['next page', async () => click(page, page.getByRole('button', { name: 'Next page' }))],
  ]
  const measured: Interaction[] = []
  for (const [name, act] of acts) {
    const ms: number[] = []
    for (let index = 0; index < times; index++) {
      if (name === 'typing in search') {
        await search.fill('')
        await settle(page)
        await search.focus()
      }
      await page.evaluate(() => (globalThis as unknown as { seen: number[] }).seen.splice(0))
      await act(index)
      await settle(page)
      // One interaction is several events; its longest is what a person waits for. Nothing above 16 ms leaves none.
      ms.push(Math.max(16, ...(await page.evaluate(() => (globalThis as unknown as { seen: number[] }).seen))))
    }
    if (name === 'typing in search') await search.fill('')
    await settle(page)
    measured.push({ name, ms: ms.sort((a, b) => a - b) })
  }
  await page.context().close()
  return measured
}

/** As a person clicks, whose pointer has arrived by then. The driver's own `click` looks for the target within the page, and again while it is clicked. */
async function click(page: Page, target: Locator): Promise<void> {
  const box = await target.boundingBox()
  if (!box) throw new Error('There is nothing to click.')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await settle(page)
  await page.mouse.down()
  await page.mouse.up()
}

async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(400)
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(400)
}
