import { client, type Reply, type TestApp } from '#app/testing/start.testing.ts'
import type { StoredWebForm } from '#features/crm/leads/web-form/contract.ts'

export const settingsPath = '/admin/settings/web-forms/1'
const urlencoded = { headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' } }

/** Returns the settings of a product’s form. */
export const settingsOf = async ({ as }: Pick<TestApp, 'as'>, product = 1): Promise<StoredWebForm> =>
  (await as('admin').get(`/admin/settings/web-forms/${product}`))['data'] as StoredWebForm

/** Turns the form of product 1 on, with these values. */
export async function saveForm(started: Pick<TestApp, 'as'>, values: object = {}): Promise<StoredWebForm> {
  const body = { ...(await settingsOf(started)), is_on: true, ...values }
  const saved = await started.as('admin').post(settingsPath, body)
  if (saved.status !== 200) throw new Error(saved.text)
  return saved['data'] as StoredWebForm
}

/** Sends a form as a browser does. */
export const sendForm = (
  { app }: Pick<TestApp, 'app'>,
  path: string,
  values: Readonly<Record<string, string>>,
): Promise<Reply> => client(app, '').post(path, new URLSearchParams(values).toString(), urlencoded)

/** Opens the page of a form, waits, and sends it to its own address. */
export async function fillIn(
  started: Pick<TestApp, 'app' | 'clock'>,
  path: string,
  values: Readonly<Record<string, string>>,
  milliseconds = 5000,
): Promise<Reply> {
  const page = await client(started.app, '').get(path)
  started.clock.advance(milliseconds)
  const opened = /name="opened" value="([^"]+)"/.exec(page.text)![1]!
  const action = /<form method="post" action="([^"]*)"/.exec(page.text)![1]!.replaceAll('&amp;', '&')
  return sendForm(started, `${path.split('?')[0]}${action}`, { opened, ...values })
}
