import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import IconPhone from '@tabler/icons-react/dist/esm/icons/IconPhone.mjs'
import type { Lead } from '#features/crm/leads/contract.ts'
import { leadCalls } from '#features/crm/leads/calls/contract.ts'
import { callWords } from '#features/crm/leads/calls/rules.ts'
import { leadMails } from '#features/crm/leads/mails/contract.ts'
import { LeadHours } from '#features/crm/leads/record/web/LeadTime.tsx'
import classes from '#features/crm/leads/page/web/queue/queue.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { continueWriting } from '#web/composer/nextComposer.ts'
import { Moment } from '#web/Moment.tsx'
import { PhoneLink } from '#web/parts/PhoneLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'

/** Whom to call at which number, what time it is there, and the last contact. */
export function Reach({ lead }: { lead: Lead }) {
  const mayCall = useMay(leadCalls.log, { body: { lead_id: lead.lead_id, outcome: 1 } })
  const last = useLastContact(lead.lead_id)
  return (
    <div className={classes.reach} role="group" aria-label="Contact">
      <div>
        <Soft small>{[lead.contactName, lead.contact_role].filter(Boolean).join(', ') || 'No contact'}</Soft>
        <span className={classes.number}>
          {lead.phone === '' ? <Soft as="span">No phone number</Soft> : <PhoneLink number={lead.phone} />}
          {mayCall && (
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<IconPhone size={14} stroke={1.5} aria-hidden />}
              onClick={() => continueWriting('call')}
            >
              Call
            </Button>
          )}
        </span>
      </div>
      <div>
        <Soft small>Local time</Soft>
        <LeadHours zone={lead.timezone} />
      </div>
      <div>
        <Soft small>Last contact</Soft>
        {last ? (
          <>
            <Moment at={last.at} />
            <Soft small>{last.words}</Soft>
          </>
        ) : (
          'None yet'
        )}
      </div>
    </div>
  )
}

/** Returns the last call with a lead, or the last email to it; its timeline has the same requests. */
function useLastContact(lead_id: number): { at: string; words: string } | undefined {
  const calls = useQuery(queryOptionsFor(leadCalls.ofLead, { query: { lead_id } }))
  const mails = useQuery(queryOptionsFor(leadMails.ofLead, { query: { lead_id } }))
  const [call, mail] = [calls.data?.data[0], mails.data?.data[0]]
  const found = [
    ...(call ? [{ at: call.called_at, words: `Call · ${callWords(call)}` }] : []),
    ...(mail ? [{ at: mail.created_at, words: `Email · ${mail.subject}` }] : []),
  ]
  return found.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))[0]
}
