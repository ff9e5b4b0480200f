import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import type { Lead } from '#features/crm/leads/contract.ts'
import { leadMails } from '#features/crm/leads/mails/contract.ts'
import classes from '#features/crm/leads/mails/web/Mail.module.css'
import { useLeadsChanged } from '#features/crm/leads/record/web/useLeadsChanged.ts'
import { mailStates, mailTones, type MailRow } from '#shared/mails.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { ErrorState } from '#web/list/states.tsx'
import { useChanged } from '#web/live.ts'
import { NotSetUp } from '#web/mail/NotSetUp.tsx'
import type { TimelineEntry } from '#web/record/Timeline.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { Head } from '#web/parts/Head.tsx'

const MailForm = lazyPart(() => import('#features/crm/leads/mails/web/MailForm.tsx'))
const MailQuestions = lazyPart(() => import('#features/crm/leads/mails/web/MailQuestions.tsx'))

type Open = 'scheduleDemo' | 'prospection' | 'questions'

/** Returns the emails to a lead with their status, for the lead's timeline. */
export function useLeadMails(lead_id: number) {
  const query = useQuery(queryOptionsFor(leadMails.ofLead, { query: { lead_id } }))
  useChanged('mails', [leadMails.ofLead])
  // When a lead is merged into this one, its emails are added.
  useLeadsChanged([leadMails.ofLead])
  const mails = query.data?.data ?? []
  return {
    happened: mails.map((mail): TimelineEntry => ({
      id: `mail-${mail.id}`,
      kind: 'Emails',
      at: mail.created_at,
      who: mail.who ?? 'System',
      content: <MailLine mail={mail} />,
    })),
    /** Whether emails are waiting because no SMTP server is configured. */
    isHeldUp: query.data?.is_on === false && mails.some(isWaiting),
    query,
  }
}

function MailLine({ mail }: { mail: MailRow }) {
  return (
    <>
      <Head as="p">
        <span className={classes.subject}>{mail.subject}</span>
      </Head>
      {mail.recipients.map((one) => (
        <Head as="p" key={one.address} title={one.last_error ?? undefined}>
          <span>{one.address}</span>
          <Tone tone={mailTones[one.state]}>{mailStates[one.state]}</Tone>
        </Head>
      ))}
    </>
  )
}

const isWaiting = ({ recipients }: MailRow) =>
  recipients.some(({ state }) => state === 'waiting' || state === 'held')

/** Buttons for writing to a lead, shown beside the note composer. */
export function WriteToLead({
  lead,
  mails: { isHeldUp, query },
}: {
  lead: Lead
  mails: ReturnType<typeof useLeadMails>
}) {
  const mayWrite = useMay(leadMails.scheduleDemo)
  const mayAsk = useMay(leadMails.questions, { query: { lead_id: lead.lead_id } })
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <>
      {(mayWrite || mayAsk) && (
        <span className={classes.write} role="group" aria-label="Send email">
          {mayWrite && (
            <>
              <Button size="compact-xs" variant="default" onClick={() => setOpen('scheduleDemo')}>
                Demo email
              </Button>
              <Button size="compact-xs" variant="default" onClick={() => setOpen('prospection')}>
                Prospecting email
              </Button>
            </>
          )}
          {mayAsk && (
            <Button size="compact-xs" variant="default" onClick={() => setOpen('questions')}>
              Questions
            </Button>
          )}
        </span>
      )}
      {isHeldUp && <NotSetUp />}
      {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      <Suspense>
        {(open === 'scheduleDemo' || open === 'prospection') && (
          <MailForm kind={open} lead={lead} onClose={close} />
        )}
        {open === 'questions' && <MailQuestions lead={lead} onClose={close} />}
      </Suspense>
    </>
  )
}
