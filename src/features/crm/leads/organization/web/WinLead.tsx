import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { Button, Modal, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { leads } from '#features/crm/leads/contract.ts'
import classes from '#features/crm/leads/organization/web/winLead.module.css'
import { organizationOfLead } from '#features/crm/leads/organization/contract.ts'
import type { WinProps } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { useDialog } from '#web/parts/useDialog.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const CreateOrganizationForm = lazyPart(
  () => import('#features/crm/leads/organization/web/CreateOrganizationForm.tsx'),
)

/**
 * Asks for the organization of a lead that is won: creating or linking it also sets the status. A lead that has one is
 * won without a question, and users who can’t create one are asked whether to do without.
 */
export default function WinLead({ lead, onWithout, onClose }: WinProps) {
  const { lead_id, companyName } = lead
  const [isOpen, setOpen] = useState(false)
  const mayShow = useMay(leads.show, { query: { id: lead_id } })
  const mayCreate = useMay(organizationOfLead.create) && mayShow
  const { data, isError } = useQuery({
    ...queryOptionsFor(leads.show, { query: { id: lead_id } }),
    enabled: mayShow,
  })
  const hasOne = (data?.data.organization_id ?? null) !== null
  const winAtOnce = useEffectEvent(() => {
    onWithout()
    onClose()
  })
  useEffect(() => {
    if (hasOne && !isOpen) winAtOnce()
  }, [hasOne, isOpen])
  const dialog = useDialog()
  if (isOpen && data)
    return (
      <Suspense>
        <CreateOrganizationForm lead={data.data} onClose={onClose} />
      </Suspense>
    )
  if (hasOne || (mayShow && !data && !isError)) return null
  return (
    <Modal opened {...dialog} title={`Won: ${companyName}`} onClose={onClose} centered>
      <Text size="sm">
        {mayCreate
          ? 'Create the organization with its first user and its onboarding, or link one that exists. Without an organization, only the status changes.'
          : 'This lead has no organization. Without one, only the status changes, and no onboarding starts.'}
      </Text>
      <div className={classes.acts}>
        <Button
          variant="default"
          onClick={() => {
            onWithout()
            onClose()
          }}
        >
          Win without an organization
        </Button>
        {mayCreate && <Button onClick={() => setOpen(true)}>Choose organization</Button>}
      </div>
    </Modal>
  )
}
