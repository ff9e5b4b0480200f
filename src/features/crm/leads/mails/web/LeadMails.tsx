import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import type { Lead } from '#features/crm/leads/contract.ts'
import { leadMails } from '#features/crm/leads/mails/contract.ts'
import type { MailRow } from '#shared/mails.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { ErrorState } from '#web/list/states.tsx'
import { entryOfMail } from '#web/mail/mailEntry.tsx'
import { NotSetUp } from '#web/mail/NotSetUp.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const MailQuestions = lazyPart(() => import('#features/crm/leads/mails/web/MailQuestions.tsx'))

/** Returns the emails to a lead with their status, for the lead's timeline. */
export function useLeadMails(lead_id: number) {
  const query = useQuery(queryOptionsFor(leadMails.ofLead, { query: { lead_id } }))
  const mails = query.data?.data ?? []
  return {
    happened: mails.map(entryOfMail),
    /** Whether emails are waiting because no SMTP server is configured. */
    isHeldUp: query.data?.is_on === false && mails.some(isWaiting),
    query,
  }
}

const isWaiting = ({ recipients }: MailRow) =>
  recipients.some(({ state }) => state === 'waiting' || state === 'held')

/** The answers to the prospecting questions, and the state of the lead's emails, below the composer. */
export function LeadQuestions({
  lead,
  mails: { isHeldUp, query },
}: {
  lead: Lead
  mails: ReturnType<typeof useLeadMails>
}) {
  const mayAsk = useMay(leadMails.questions, { query: { lead_id: lead.lead_id } })
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {mayAsk && (
        <span>
          <Button size="compact-xs" variant="default" onClick={() => setOpen(true)}>
            Questions
          </Button>
        </span>
      )}
      {isHeldUp && <NotSetUp />}
      {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      <Suspense>{isOpen && <MailQuestions lead={lead} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
