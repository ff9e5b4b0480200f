import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { leads, type LeadRow } from '#features/crm/leads/contract.ts'
import { leadMails } from '#features/crm/leads/mails/contract.ts'
import { organizationOfLead } from '#features/crm/leads/organization/contract.ts'
import { website } from '#features/crm/leads/website/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { Menu, MenuItem } from '#web/parts/Menu.tsx'
import type { MenuAt } from '#web/parts/useMenuButton.ts'
import { toast } from '#web/message/toast.ts'

const LeadEmail = lazyPart(() => import('#features/crm/leads/mails/web/LeadEmail.tsx'))
const MailQuestions = lazyPart(() => import('#features/crm/leads/mails/web/MailQuestions.tsx'))
const CreateOrganizationForm = lazyPart(
  () => import('#features/crm/leads/organization/web/CreateOrganizationForm.tsx'),
)

type Open = 'demo' | 'prospecting' | 'questions' | 'organization'

interface Props {
  lead: LeadRow
  at: MenuAt
}

/**
 * Menu of the actions from a lead's page that have no button in the row, limited to those that the viewer is
 * allowed to use.
 */
export default function MoreMenu({ lead, at }: Props) {
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const mayWrite = useMay(leadMails.scheduleDemo)
  const mayAsk = useMay(leadMails.questions, { query: { lead_id: lead.lead_id } })
  return (
    <>
      <Menu {...at} label={`More actions for ${lead.companyName}`} end width={200}>
        {mayWrite && (
          <>
            <MenuItem onClick={() => setOpen('demo')}>Demo email</MenuItem>
            <MenuItem onClick={() => setOpen('prospecting')}>Prospecting email</MenuItem>
          </>
        )}
        {mayAsk && <MenuItem onClick={() => setOpen('questions')}>Questions</MenuItem>}
        <CheckWebsite lead={lead} />
        <CreateOrganizationItem lead={lead} onChosen={() => setOpen('organization')} />
      </Menu>
      <Suspense>
        {(open === 'demo' || open === 'prospecting') && (
          <LeadEmail lead={lead} template={open} onClose={close} />
        )}
        {open === 'questions' && <MailQuestions lead={lead} onClose={close} />}
        {open === 'organization' && <OrganizationOf id={lead.lead_id} onClose={close} />}
      </Suspense>
    </>
  )
}

function CheckWebsite({ lead }: Pick<Props, 'lead'>) {
  const may = useMay(website.check)
  const { send } = useSend(website.check, {
    onDone: ({ message, data }) => (data.status === 'up' ? toast.success(message) : toast.failure(message)),
  })
  if (!may) return null
  const whyNot = lead.company_url ? undefined : 'This lead has no website.'
  return (
    <MenuItem
      disabled={whyNot !== undefined}
      title={whyNot}
      onClick={() =>
        void send({ query: { id: lead.lead_id, url: lead.company_url, lead_for: lead.lead_for } })
      }
    >
      Check website
    </MenuItem>
  )
}

/** Queries data that the row lacks: the lead's time zone, and whether the lead has an organization. */
const wholeLead = (id: number) => queryOptionsFor(leads.show, { query: { id } })

function CreateOrganizationItem({ lead, onChosen }: Pick<Props, 'lead'> & { onChosen: () => void }) {
  const may = useMay(organizationOfLead.create)
  const mayShow = useMay(leads.show, { query: { id: lead.lead_id } })
  const { data } = useQuery({ ...wholeLead(lead.lead_id), enabled: may && mayShow })
  if (!may || !mayShow) return null
  const has = data?.data.organization_id ?? null
  const whyNot = has === null ? undefined : `This lead already has an organization (#${has}).`
  return (
    <MenuItem disabled={!data || whyNot !== undefined} title={whyNot} onClick={onChosen}>
      Create organization
    </MenuItem>
  )
}

function OrganizationOf({ id, onClose }: { id: number; onClose: () => void }) {
  const { data } = useQuery(wholeLead(id))
  return data && <CreateOrganizationForm lead={data.data} onClose={onClose} />
}
