import { Suspense, useState } from 'react'
import type { Lead } from '#features/crm/leads/contract.ts'
import { organizationOfLead } from '#features/crm/leads/organization/contract.ts'
import { RowAction } from '#web/list/cells.tsx'
import { useMay } from '#web/api/useSend.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const CreateOrganizationForm = lazyPart(
  () => import('#features/crm/leads/organization/web/CreateOrganizationForm.tsx'),
)

/** Button for creating an organization from a lead, which is possible only once. */
export function CreateOrganization({ lead }: { lead: Lead }) {
  const [open, setOpen] = useState(false)
  const mayCreate = useMay(organizationOfLead.create)
  const whyNot =
    lead.organization_id === null
      ? undefined
      : `This lead already has an organization: ${lead.organization_name}.`
  return (
    <>
      {mayCreate && (
        <RowAction whyNot={whyNot} onClick={() => setOpen(true)}>
          Create organization
        </RowAction>
      )}
      {open && (
        <Suspense>
          <CreateOrganizationForm lead={lead} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
