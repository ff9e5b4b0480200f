import { website } from '#features/crm/leads/website/contract.ts'
import { getLead, leadKind, lockLead } from '#features/crm/leads/record/server/leads.queries.ts'
import { fetchPublicUrl, refusalReason, type PublicFetchOptions } from '#server/public-fetch.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import type { App } from '#server/app.ts'
import { implementPrepared } from '#server/http/implement.ts'
import { touchRecords } from '#server/record/touch.ts'

export function leadWebsiteRoutes(app: App): void {
  implementPrepared(
    app,
    website.check,
    async ({ query }, { db, viewer }) => {
      // Doesn't fetch anything for leads that the viewer cannot see, or from URLs that are obviously not on
      // the public internet.
      demandProduct(await getLead(db, query.id, viewer), query.lead_for)
      const why = refusalReason(query.url, app.outside)
      if (why) throw invalid('url', why)
      return isUp(query.url, app.outside)
    },
    async ({ query }, { db, viewer, clock, audit, changed, prepared: up }) => {
      const lead = await lockLead(db, query.id, viewer)
      demandProduct(lead, query.lead_for)
      const checked_at = clock.now().toISOString()
      const checked = { website_up: up, website_checked_at: checked_at, website_checked_url: query.url }
      await touchRecords({ db, changed }, leadKind, query.id, checked, { keepsVersion: true })
      audit({
        target: 'lead',
        id: query.id,
        before: { website_up: lead.website_up, website_checked_url: lead.website_checked_url },
        after: { website_up: up, website_checked_url: query.url },
      })
      const status = up ? ('up' as const) : ('down' as const)
      return {
        message: `The website is ${status}.`,
        data: { id: query.id, url: query.url, status, checked_at },
      }
    },
  )
}

/**
 * Returns whether the page loads successfully. The reason for a failure is not returned, because it would
 * reveal details of our own network.
 */
async function isUp(url: string, options: PublicFetchOptions): Promise<boolean> {
  try {
    const { status } = await fetchPublicUrl(url, options)
    return status < 500 && status !== 404 && status !== 410
  } catch {
    return false
  }
}

function demandProduct(lead: { lead_for: number }, lead_for: number | undefined): void {
  if (lead_for !== undefined && lead_for !== lead.lead_for) throw notFound('Lead not found.')
}
