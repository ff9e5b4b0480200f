import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import type { Lead } from '#features/crm/leads/contract.ts'
import { leadMails } from '#features/crm/leads/mails/contract.ts'
import classes from '#features/crm/leads/demos/web/Demos.module.css'
import leadClasses from '#features/crm/leads/list/web/leads.module.css'
import { useLeadsChanged } from '#features/crm/leads/cells/web/useLeadsChanged.ts'
import { mailStates, mailTones, type MailRow } from '#shared/mails.ts'
import { ask } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { Loaded } from '#web/list/states.tsx'
import { useChanged } from '#web/live.ts'
import { NotSetUp } from '#web/mail/NotSetUp.tsx'
import { Moment } from '#web/Moment.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { Tone } from '#web/shell/Tone.tsx'

const MailForm = lazyPart(() => import('#features/crm/leads/mails/web/MailForm.tsx'))
const MailQuestions = lazyPart(() => import('#features/crm/leads/mails/web/MailQuestions.tsx'))

type Open = 'scheduleDemo' | 'prospection' | 'questions'

/** The mails to a lead with their state, and what can be written to it. */
export function MailsPanel({ lead }: { lead: Lead }) {
  const query = useQuery(ask(leadMails.ofLead, { query: { lead_id: lead.lead_id } }))
  const mayWrite = useMay(leadMails.scheduleDemo)
  const mayAsk = useMay(leadMails.questions, { query: { lead_id: lead.lead_id } })
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  useChanged('mails', [leadMails.ofLead])
  // A lead that is merged into this one brings its mails.
  useLeadsChanged([leadMails.ofLead])
  return (
    <section className={leadClasses.panel} aria-label="Mails">
      <div className={classes.head}>
        <h2>Mails</h2>
        <span className={leadClasses.actions}>
          {mayWrite && (
            <>
              <Button size="compact-xs" variant="default" onClick={() => setOpen('scheduleDemo')}>
                Demo mail
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
      </div>
      <Loaded query={query} skeleton={<p role="status">Loading…</p>}>
        {({ data, is_on }) => (
          <>
            {!is_on && data.some(isWaiting) && <NotSetUp />}
            {data.length === 0 && <p className={leadClasses.nothing}>No mail was written yet.</p>}
            <ol className={leadClasses.notes}>
              {data.map((mail) => (
                <li key={mail.id}>
                  <p className={classes.head}>
                    <span className={classes.comment}>{mail.subject}</span>
                  </p>
                  {mail.recipients.map((one) => (
                    <p key={one.address} className={classes.head} title={one.last_error ?? undefined}>
                      <span>{one.address}</span>
                      <Tone tone={mailTones[one.state]}>{mailStates[one.state]}</Tone>
                    </p>
                  ))}
                  <p className={leadClasses.byline}>
                    {mail.who ?? 'Nobody'} · <Moment at={mail.created_at} />
                  </p>
                </li>
              ))}
            </ol>
          </>
        )}
      </Loaded>
      <Suspense>
        {(open === 'scheduleDemo' || open === 'prospection') && <MailForm kind={open} lead={lead} onClose={close} />}
        {open === 'questions' && <MailQuestions lead={lead} onClose={close} />}
      </Suspense>
    </section>
  )
}

const isWaiting = ({ recipients }: MailRow) => recipients.some(({ state }) => state === 'waiting' || state === 'held')
