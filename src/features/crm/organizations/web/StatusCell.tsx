import { Suspense, useState } from 'react'
import type { OrganizationRow } from '#features/crm/organizations/contract.ts'
import { statusChanges } from '#features/crm/organizations/status.contract.ts'
import { onTrial } from '#features/crm/organizations/rules.ts'
import { clockIn, statusChoices } from '#features/crm/organizations/web/organizationWords.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { ChoiceCell } from '#web/list/CellMenu.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const TrialForm = lazyPart(() => import('#features/crm/organizations/web/TrialForm.tsx'))

type Shown = Pick<OrganizationRow, 'organization_id' | 'name' | 'status' | 'trial_end_date' | 'timezone'>

/**
 * Status cell of an organization, editable in place. Choosing the trial status opens a form for the end date
 * if none is set or, when a trial starts, if it is in the past.
 */
export function StatusCell({ organization }: { organization: Shown }) {
  const [isAsking, setAsking] = useState(false)
  const { announceAct } = useUndo()
  const { send } = useSend(statusChanges.changeStatus, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const may = useMay(statusChanges.changeStatus, {
    query: { status: 1, org_id: organization.organization_id },
  })
  const { status: current, trial_end_date: end, timezone } = organization
  const needsEnd = end === null || (current !== onTrial && end < clockIn(timezone).day)
  return (
    <>
      <ChoiceCell
        label={`Status of ${organization.name}`}
        options={statusChoices}
        value={organization.status}
        may={may}
        onChoose={(status) =>
          status === onTrial && needsEnd
            ? setAsking(true)
            : void send({ query: { status: status, org_id: organization.organization_id } })
        }
      />
      {isAsking && (
        <Suspense>
          <TrialForm organization={organization} begins onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
