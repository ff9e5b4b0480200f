import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import type { Lead } from '#features/crm/leads/contract.ts'
import { scheduledStatus } from '#features/crm/leads/demos.rules.ts'
import classes from '#features/crm/leads/demos/web/Demos.module.css'
import { SessionFields, useSession } from '#features/crm/leads/demos/web/sessionForm.tsx'
import { useStatusOffer } from '#features/crm/leads/demos/web/useStatusOffer.ts'
import { NextFollowup } from '#features/crm/leads/record/web/NextFollowup.tsx'
import { ComposerForm, SubmitButton } from '#web/composer/ComposerForm.tsx'

interface Props {
  lead: Lead
  types: readonly string[]
}

/** Button that sets the status of the lead that fits a scheduled demo. */
function OfferedStatus({ lead }: Pick<Props, 'lead'>) {
  const { offered, set, sending } = useStatusOffer(lead)
  const to = offered(scheduledStatus)
  return (
    to && (
      <Button size="compact-xs" variant="default" loading={sending} onClick={() => set(to.id)}>
        Set status to {to.name}
      </Button>
    )
  )
}

/** Form of the composer's tab for a new session; once saved, it offers the next follow-up date and the status that fits. */
export default function SessionTab({ lead, types }: Props) {
  const [added, setAdded] = useState<{ isScheduled: boolean }>()
  const session = { lead, demo: undefined, types }
  const form = useSession({
    ...session,
    name: `lead-session-${lead.lead_id}`,
    onSent: (values) => {
      setAdded({ isScheduled: values.final_date !== '' })
      form.discardSent(values)
    },
  })
  return (
    <ComposerForm
      label="New session"
      form={form}
      options={
        added &&
        !form.isDirty && (
          <Suspense>
            {added.isScheduled && <OfferedStatus lead={lead} />}
            <NextFollowup lead={lead} />
          </Suspense>
        )
      }
      acts={<SubmitButton form={form}>Save session</SubmitButton>}
    >
      <div className={classes.fields}>
        <SessionFields form={form} {...session} />
      </div>
    </ComposerForm>
  )
}
