import { announcing } from '#features/cms/articles/announcing/contract.ts'
import { request } from '#web/api/client.ts'
import { askToProceed } from '#web/message/messages.ts'

/**
 * Asks for confirmation, with the number of recipients, before publishing an article that sends an e-mail.
 * Returns the query to publish with; undefined if cancelled.
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
  const whom =
    total === 0
      ? 'Nobody is subscribed, so no e-mail is sent.'
      : `An e-mail goes to ${total === 1 ? '1 subscribed customer' : `${total.toLocaleString('en-US')} subscribed customers`}, once.`
  return (await askToProceed(`Publish “${title}”? ${whom}`)) ? { expected: total } : undefined
}
