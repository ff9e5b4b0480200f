import type { Browser, Locator, Page } from '@playwright/test'
import { loadCold } from './cold.ts'

const slowdown = 4
const times = 5

export interface Interaction {
  name: string
  /** Milliseconds from the input to the next frame, sorted; from the browser's own Event Timing, as for INP. */
  ms: number[]
}

type Act = [name: string, act: (index: number) => Promise<void>, prepare?: () => Promise<void>]

/** Measures everyday acts until the screen shows them, with the CPU throttled. Event Timing has steps of 8 ms. */
export async function measureInteractions(browser: Browser, origin: string): Promise<Interaction[]> {
  const leads = await walk(browser, origin, '/demo-leads?fromDate=all&toDate=all', 'crm', (page) => {
    const search = page.getByRole('searchbox', { name: 'Search leads' })
    const empty = async () => {
      await search.fill('')
      await settle(page)
      await search.focus()
    }
    return [
      ['typing in search', async () => page.keyboard.type('lin', { delay: 120 }), empty],
      [
        "opening a row's status menu",
        (index) => openMenu(page, page.getByRole('button', { name: /^Status of / }).nth(index)),
        () => search.fill(''),
      ],
      [
        'sorting',
        async () =>
          click(page, page.getByRole('columnheader', { name: 'Company' }).getByRole('button').first()),
      ],
      ['next page', async () => click(page, page.getByRole('button', { name: 'Next page' }))],
    ]
  })
  const tasks = await walk(browser, origin, '/development-tasks', 'admin', (page) => [
    [
      'opening the status menu of a task',
      (index) => openMenu(page, page.getByRole('button', { name: /^Status of / }).nth(index)),
    ],
    [
      'opening a task',
      async (index) => click(page, page.getByRole('rowheader').nth(index).getByRole('link')),
      () => page.keyboard.press('Escape'),
    ],
  ])
  const calendar = await walk(browser, origin, '/development-tasks/schedular?view=month', 'admin', (page) => [
    [
      'dropping a task on another day',
      async () => {
        await page.keyboard.press('Enter')
        await settle(page)
        await page.keyboard.press('Escape')
      },
      async () => {
        await page
          .getByRole('button', { name: /^Move / })
          .first()
          .press('Enter')
        await page.keyboard.press('ArrowRight')
        await settle(page)
      },
    ],
  ])
  return [...leads, ...tasks, ...calendar]
}

/** Performs each act five times on a page; the preparation of an operation is not measured. */
async function walk(
  browser: Browser,
  origin: string,
  path: string,
  user: string,
  actsOn: (page: Page) => Act[],
): Promise<Interaction[]> {
  const { page } = await loadCold(browser, origin, path, user)
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.evaluate(() => {
    const seen: number[] = []
    Object.assign(globalThis, { seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if ((entry as unknown as { interactionId: number }).interactionId) seen.push(entry.duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })
  const measured: Interaction[] = []
  for (const [name, act, prepare] of actsOn(page)) {
    const ms: number[] = []
    for (let index = 0; index < times; index++) {
      await prepare?.()
      await settle(page)
      await page.evaluate(() => (globalThis as unknown as { seen: number[] }).seen.splice(0))
      await act(index)
      await settle(page)
      // An interaction is several events, and the user waits for the longest. If none exceeds 16 ms, there are none.
      ms.push(
        Math.max(16, ...(await page.evaluate(() => (globalThis as unknown as { seen: number[] }).seen))),
      )
    }
    measured.push({ name, ms: ms.sort((a, b) => a - b) })
  }
  await page.context().close()
  return measured
}

async function openMenu(page: Page, button: Locator): Promise<void> {
  await click(page, button)
  // Not awaited immediately: the driver's search for it would run in the page while it opens.
  await settle(page)
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('Escape')
}

/** Clicks like a user whose pointer is already there. The driver's own `click` searches the page for the target, and again during the click. */
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
