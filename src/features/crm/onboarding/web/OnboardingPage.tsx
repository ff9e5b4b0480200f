import { useState } from 'react'
import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { onboardings, type Onboarding } from '#features/crm/onboarding/contract.ts'
import { meetingLinks } from '#features/crm/onboarding/links.contract.ts'
import { onboardingFields } from '#features/crm/onboarding/fields.ts'
import { OnboardingDialogs, type OpenDialog } from '#features/crm/onboarding/web/OnboardingDialogs.tsx'
import { OnboardingFacts } from '#features/crm/onboarding/web/OnboardingFacts.tsx'
import { OnboardingSessions } from '#features/crm/onboarding/web/OnboardingSessions.tsx'
import { OnboardingStages } from '#features/crm/onboarding/web/OnboardingStages.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { sessionWords } from '#web/appointments/sessionWords.ts'
import { entryOfMail } from '#web/mail/mailEntry.tsx'
import { useOrganization } from '#web/organization.ts'
import { byId, withWords, type RecordFields } from '#web/record/fieldWords.ts'
import { LastAct } from '#web/record/LastAct.tsx'
import { RecordLayout, RecordPage } from '#web/record/RecordPage.tsx'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { Timeline } from '#web/record/Timeline.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'

const parents = [['/on-boarding', 'Onboarding']] as const

/** Page for an onboarding: stages, sessions, meeting link, notes, and history. */
export function OnboardingPage() {
  const params = useParams({ strict: false }) as { id?: string }
  const id = Number(params.id)
  if (!Number.isSafeInteger(id) || id < 1) return <NotFoundPage />
  return (
    <RecordPage<{ data: Onboarding }>
      asked={queryOptionsFor(onboardings.show, { query: { id } })}
      title="Onboarding details"
    >
      {({ data }) => <OnboardingDetails key={data.id} onboarding={data} />}
    </RecordPage>
  )
}

function OnboardingDetails({ onboarding }: { onboarding: Onboarding }) {
  const { id, org_id } = onboarding
  const [open, setOpen] = useState<OpenDialog>()
  useOrganization(org_id)
  const words: RecordFields = {
    ...withWords(onboardingFields, { stage: byId(onboarding.all_stages) }),
    ...sessionWords,
    send_email_for_set_crendentials: { label: 'Credentials email' },
  }
  return (
    <>
      <Head onboarding={onboarding} onOpen={setOpen} />
      <RecordLayout
        timeline={
          <Timeline
            type="onboarding"
            id={id}
            fields={words}
            email={{}}
            more={onboarding.mails.map(entryOfMail)}
          />
        }
        more={
          <>
            <OnboardingStages onboarding={onboarding} onOpen={setOpen} />
            <OnboardingSessions onboarding={onboarding} onOpen={setOpen} />
            <LastAct />
          </>
        }
      >
        <OnboardingFacts onboarding={onboarding} />
      </RecordLayout>
      <OnboardingDialogs onboarding={onboarding} open={open} onClose={() => setOpen(undefined)} />
    </>
  )
}

function Head({ onboarding, onOpen }: { onboarding: Onboarding; onOpen: (dialog: OpenDialog) => void }) {
  const { id, organization, status } = onboarding
  const { announceAct } = useUndo()
  const { send: setStatus, sending } = useSend(onboardings.updateStatus, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const mayHold = useMay(onboardings.updateStatus, { body: { id, status: 1 } })
  const mayLink = useMay(meetingLinks.sendMeetingLink, { body: { lead_id: 1, lead_onboarding_id: id } })
  return (
    <RecordHeader type="onboarding" id={onboarding.id} title={organization} parents={parents}>
      {mayLink && (
        <Button size="xs" variant="default" onClick={() => onOpen({ what: 'link' })}>
          Send meeting link
        </Button>
      )}
      {mayHold && status === 1 && (
        <Button size="xs" variant="default" onClick={() => onOpen({ what: 'hold' })}>
          Put on hold
        </Button>
      )}
      {mayHold && status === 2 && (
        <Button
          size="xs"
          variant="default"
          loading={sending}
          onClick={() => void setStatus({ body: { id, status: 1 } })}
        >
          Resume
        </Button>
      )}
    </RecordHeader>
  )
}
