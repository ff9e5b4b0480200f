import type { Lead } from '#features/crm/leads/contract.ts'
import { website } from '#features/crm/leads/website/contract.ts'
import classes from '#features/crm/leads/website/web/Website.module.css'
import { RowAction } from '#web/list/cells.tsx'
import { useMay, useSend } from '#web/api/useSend.ts'
import { Moment } from '#web/Moment.tsx'
import { toast } from '#web/message/toast.ts'
import { Tone } from '#web/parts/Tone.tsx'

type Checked = Pick<
  Lead,
  'lead_id' | 'lead_for' | 'company_url' | 'website_up' | 'website_checked_at' | 'website_checked_url'
>

/** Result of the last website check and, if the viewer is allowed to run one, a button to check again. */
export function WebsiteCheck({ lead }: { lead: Checked }) {
  const mayCheck = useMay(website.check)
  const { send, sending } = useSend(website.check, {
    onDone: ({ message, data }) => (data.status === 'up' ? toast.success(message) : toast.failure(message)),
  })
  // A result for a different URL does not apply to this one.
  const isKnown = lead.website_checked_at !== null && lead.website_checked_url === lead.company_url
  return (
    <>
      {isKnown && (
        <>
          <Tone tone={lead.website_up ? 'green' : 'red'}>{lead.website_up ? 'Up' : 'Down'}</Tone>
          <span className={classes.when}>
            <Moment at={lead.website_checked_at!} />
          </span>
        </>
      )}
      {mayCheck && (
        <RowAction
          aria-disabled={sending}
          onClick={() =>
            !sending &&
            void send({ query: { id: lead.lead_id, url: lead.company_url, lead_for: lead.lead_for } })
          }
        >
          {sending ? 'Checking…' : 'Check'}
        </RowAction>
      )}
    </>
  )
}
