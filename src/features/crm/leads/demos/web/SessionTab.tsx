import { Suspense, useState } from 'react'
import type { Lead } from '#features/crm/leads/contract.ts'
import classes from '#features/crm/leads/demos/web/Demos.module.css'
import { SessionFields, useSession } from '#features/crm/leads/demos/web/sessionForm.tsx'
import { NextFollowup } from '#features/crm/leads/record/web/NextFollowup.tsx'
import { ComposerForm, SubmitButton } from '#web/composer/ComposerForm.tsx'

interface Props {
  lead: Lead
  types: readonly string[]
}

/** Form of the composer's tab for a new session; once saved, it offers the next follow-up date. */
export default function SessionTab({ lead, types }: Props) {
  const [isAdded, setAdded] = useState(false)
  const session = { lead, demo: undefined, types }
  const form = useSession({
    ...session,
    name: `lead-session-${lead.lead_id}`,
    onSent: (values) => {
      setAdded(true)
      form.discardSent(values)
    },
  })
  return (
    <ComposerForm
      label="New session"
      form={form}
      options={
        isAdded &&
        !form.isDirty && (
          <Suspense>
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
