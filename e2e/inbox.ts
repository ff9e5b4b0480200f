import { expect, type Page } from '@playwright/test'
import { inboundSecret } from './server.ts'
import { panel } from './panel.ts'

/* Parts of the inbox: the list of tickets, and the open one beside it. */

/** Delivers an email per title, from the oldest to the newest; returns the ticket numbers. */
export async function deliver(...titles: string[]): Promise<number[]> {
  const ids: number[] = []
  for (const subject of titles) {
    const answer = await fetch(`${panel().url}/api/inbound/ticket`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Inbound-Secret': inboundSecret },
      body: JSON.stringify({
        message_id: `<${subject.replaceAll(' ', '-')}@inn.example>`,
        from: 'desk@inn.example',
        subject,
        text: `Words of ${subject}`,
      }),
    })
    if (!answer.ok) throw new Error(await answer.text())
    ids.push(((await answer.json()) as { id: number }).id)
  }
  return ids
}

export const listOf = (page: Page) => page.getByRole('list', { name: 'Support tickets' })
export const rowsOf = (page: Page) => listOf(page).getByRole('listitem')
export const titlesOf = (page: Page) => rowsOf(page).getByRole('link').allTextContents()
export const paneOf = (page: Page) => page.getByRole('region', { name: 'Reading pane' })
export const messageOf = (page: Page) => paneOf(page).getByRole('textbox', { name: 'Message' })
export const composerOf = (page: Page) => paneOf(page).getByRole('region', { name: 'Write' })
/** Opens the composer, which starts as a line unless a form has something to show. */
export const openComposer = async (page: Page) => {
  await composerOf(page)
    .getByRole('button', { name: /^Reply/ })
    .or(messageOf(page))
    .click()
  await expect(messageOf(page)).toBeVisible()
}
export const send = (page: Page) => paneOf(page).getByRole('button', { name: 'Send', exact: true })
export const headOf = (page: Page) => paneOf(page).getByRole('heading', { level: 2 }).first()
