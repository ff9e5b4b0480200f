import type { Browser, Page } from '@playwright/test'

export interface Cold {
  /** Bytes on the wire, compressed, without headers. */
  js: number
  css: number
  requests: number
  /** Addresses of the files that were requested. */
  files: string[]
  page: Page
}

/** Opens a page with an empty cache, signed in as a member of the cast or not at all, and counts what is transferred until it is idle. */
export async function loadCold(
  browser: Browser,
  origin: string,
  path: string,
  user?: string,
  settleMs = 4000,
): Promise<Cold> {
  const context = await browser.newContext({ baseURL: origin })
  const session = user === undefined ? undefined : await openSession(origin, user)
  if (session)
    await context.addInitScript(
      (stored) =>
        Object.entries(stored).forEach(
          ([key, value]) => localStorage.getItem(key) ?? localStorage.setItem(key, value),
        ),
      session,
    )
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  const answers = new Map<string, { type: string; headers: number }>()
  const cold: Cold = { js: 0, css: 0, requests: 0, files: [], page }
  // The bytes received when a response begins are its headers.
  cdp.on('Network.responseReceived', ({ requestId, type, response }) =>
    answers.set(requestId, { type, headers: response.encodedDataLength }),
  )
  const read = new Set<string>()
  cdp.on('Network.requestWillBeSent', ({ request }) => {
    // A list refetched because another user changed a record is not part of opening the page.
    if (!request.url.startsWith(origin) || read.has(request.url)) return
    if (request.method === 'GET') read.add(request.url)
    cold.requests += 1
    cold.files.push(request.url)
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const answer = answers.get(requestId)
    if (answer?.type === 'Script') cold.js += encodedDataLength - answer.headers
    if (answer?.type === 'Stylesheet') cold.css += encodedDataLength - answer.headers
  })
  await page.goto(path)
  // Nothing queries the page: queries run in it and would be measured too. Some of its requests wait until it has been shown for a while.
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(settleMs)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return cold
}

/** Returns the browser storage of a signed-in user. */
export async function openSession(origin: string, username: string): Promise<Record<string, string>> {
  const answer = await fetch(`${origin}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password: 'demo-password' }),
  })
  const { token, user, products, user_product, user_permissions } = (await answer.json()) as {
    token: string
    user: { id: number; role_id: number; first_name: string; last_name: string }
    products: unknown
    user_product: unknown
    user_permissions: unknown
  }
  return {
    access_token: token,
    role: String(user.role_id),
    admin_id: String(user.id),
    f_name: user.first_name,
    l_name: user.last_name,
    products: JSON.stringify(products),
    user_product: JSON.stringify(user_product),
    user_permissions: JSON.stringify(user_permissions),
    product: '1',
  }
}
