import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Checkbox } from '@mantine/core'
import type { Lead } from '#features/crm/leads/contract.ts'
import { leadMails } from '#features/crm/leads/mails/contract.ts'
import classes from '#features/crm/leads/mails/web/Mail.module.css'
import { useSetFollowup } from '#features/crm/leads/record/web/useSetFollowup.ts'
import type { RecordPerson } from '#shared/record-mail.contract.ts'
import { queryOptionsFor, request } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import type { Email, EmailOptions } from '#web/mail/emailOptions.ts'
import { questionsIn, withQuestions } from '#web/mail/emailText.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const FollowupChoice = lazyPart(
  () => import('#features/crm/leads/record/web/FollowupChoice.tsx'),
  'FollowupChoice',
)

/** Returns the templates and the questions that emails to a lead's people have, and the follow-up that is set with one. */
export function useLeadEmail({
  lead_id,
  followup_date,
}: Pick<Lead, 'lead_id' | 'followup_date'>): EmailOptions {
  const { may: mayFollowUp, setFollowup } = useSetFollowup(lead_id)
  const { send: sendDemo } = useSend(leadMails.scheduleDemo, { failure: 'throw' })
  const { send: sendProspecting } = useSend(leadMails.prospection, { failure: 'throw' })
  const mayAsk = useMay(leadMails.questions, { query: { lead_id } })
  const headOf = ({ name, address }: Pick<RecordPerson, 'name' | 'address'>) => ({
    lead_id,
    lead_name: name,
    lead_email: address,
  })
  const bodyOf = (email: Email) => ({ ...headOf({ name: '', address: email.to[0] ?? '' }), email })
  const textOf = ({ data }: { data: { subject: string; content: string } }) => ({
    subject: data.subject,
    content: data.content,
  })
  return {
    templates: [
      {
        id: 'demo',
        label: 'Demo email',
        load: async (to) => textOf(await request(leadMails.previewScheduleDemo, { body: headOf(to) })),
        send: (email) => sendDemo({ body: bodyOf(email) }),
      },
      {
        id: 'prospecting',
        label: 'Prospecting email',
        load: async (to) => textOf(await request(leadMails.previewProspection, { body: headOf(to) })),
        send: (email) => sendProspecting({ body: bodyOf(email) }),
      },
    ],
    ...(mayFollowUp && {
      next: {
        control: (day, onChange) => (
          <Suspense>
            <FollowupChoice day={day} current={followup_date} onChoose={onChange} />
          </Suspense>
        ),
        onSent: setFollowup,
      },
    }),
    ...(mayAsk && { tools: (text) => <AskedQuestions lead_id={lead_id} {...text} /> }),
  }
}

interface AskedProps {
  lead_id: number
  content: string
  onChange: (content: string) => void
}

/** The prospecting questions; those that are chosen are in the email as a list. */
function AskedQuestions({ lead_id, content, onChange }: AskedProps) {
  const [isOpen, setOpen] = useState(false)
  const questions = useQuery({
    ...queryOptionsFor(leadMails.questions, { query: { lead_id } }),
    enabled: isOpen,
  })
  const chosen = questionsIn(content)
  const choose = (name: string, isChosen: boolean) =>
    onChange(withQuestions(content, isChosen ? [...chosen, name] : chosen.filter((one) => one !== name)))
  return (
    <>
      <LinkButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Add questions
      </LinkButton>
      {isOpen && (
        <div className={classes.questions} role="group" aria-label="Questions">
          {questions.data?.data.map(({ id, name, answer }) => (
            <Checkbox
              key={id}
              size="xs"
              label={answer ? `${name} (answered: ${answer})` : name}
              checked={chosen.includes(name)}
              onChange={({ currentTarget }) => choose(name, currentTarget.checked)}
            />
          ))}
        </div>
      )}
    </>
  )
}
