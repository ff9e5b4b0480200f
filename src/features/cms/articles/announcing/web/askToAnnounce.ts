import { announcing } from '#features/cms/articles/announcing/contract.ts'
import { request } from '#web/api/client.ts'
import { askToProceed } from '#web/message/messages.ts'

/**
 * Before publishing an article that sends an email, asks for confirmation with the number of recipients.
 * Returns the query parameters for publishing; undefined if canceled.
 */
export async function askToAnnounce({
  title,
  product_id,
  announces,
}: {
  title: string
  product_id: number
  announces: boolean
}): Promise<{ expected?: number } | undefined> {
  if (!announces) return {}
  const { total } = await request(announcing.subscribers, { query: { product_id } })
  const whom = total === 1 ? '1 subscribed customer' : `${total.toLocaleString('en-US')} subscribed customers`
  const detail =
    total === 0
      ? 'No one is subscribed, so no email will be sent.'
      : `This will email ${whom}. The email is sent only once.`
  return (await askToProceed(`Publish “${title}”?`, { detail })) ? { expected: total } : undefined
}
