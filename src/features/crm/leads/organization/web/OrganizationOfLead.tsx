import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import type { Lead } from '#features/crm/leads/contract.ts'
import { organizationOfLead } from '#features/crm/leads/organization/contract.ts'
import { mayReadType } from '#shared/records.ts'
import { useMay } from '#web/api/useSend.ts'
import { PageLink } from '#web/parts/PageLink.tsx'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useViewer } from '#web/session.ts'
import { RailSection } from '#web/sheet/RailSection.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const CreateOrganizationForm = lazyPart(
  () => import('#features/crm/leads/organization/web/CreateOrganizationForm.tsx'),
)

/** A lead's organization, or the button that creates it, which is possible only once. */
export function OrganizationOfLead({ lead }: { lead: Lead }) {
  const [isOpen, setOpen] = useState(false)
  const mayCreate = useMay(organizationOfLead.create)
  const { organization_id, organization_name } = lead
  if (organization_id === null && !mayCreate && !isOpen) return null
  return (
    <RailSection title="Organization">
      {organization_id === null ? (
        <span>
          {mayCreate && (
            <Button size="compact-xs" variant="default" onClick={() => setOpen(true)}>
              Create organization
            </Button>
          )}
        </span>
      ) : (
        <OrganizationLink id={organization_id} name={organization_name ?? ''} />
      )}
      {/* The form stays open while it shows what it has created. */}
      {isOpen && (
        <Suspense>
          <CreateOrganizationForm lead={lead} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </RailSection>
  )
}

/** Link to the organization or, for viewers who can open only onboardings, to their list. */
function OrganizationLink({ id, name }: { id: number; name: string }) {
  const viewer = useViewer()
  const to =
    recordAddress('organization', id, viewer, name) ??
    (viewer && mayReadType('onboarding', viewer) ? '/on-boarding' : undefined)
  return <span>{to === undefined ? name : <PageLink to={to}>{name}</PageLink>}</span>
}
