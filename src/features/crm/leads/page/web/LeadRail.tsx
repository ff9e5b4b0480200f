import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Lead } from '#features/crm/leads/contract.ts'
import { DemosPanel } from '#features/crm/leads/demos/web/DemosPanel.tsx'
import { DuplicateActs } from '#features/crm/leads/duplicates/web/DuplicateActs.tsx'
import { sameWords } from '#features/crm/leads/duplicates/web/sameWords.ts'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { OrganizationOfLead } from '#features/crm/leads/organization/web/OrganizationOfLead.tsx'
import classes from '#features/crm/leads/page/web/lead.module.css'
import { leadAddress } from '#features/crm/leads/record/web/LeadLink.tsx'
import { tonedEntryById, useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { Head } from '#web/parts/Head.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { RecordLink } from '#web/record/RecordLink.tsx'
import { RailSection } from '#web/sheet/RailSection.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { RecordPanels } from '#web/shell/recordPanels.tsx'

const MergeLeads = lazyPart(() => import('#features/crm/leads/operations/web/MergeLeads.tsx'))

/** A lead’s organization, sessions, quick tasks, and possible duplicates. */
export const LeadRail = ({ lead }: { lead: Lead }) => (
  <>
    <OrganizationOfLead lead={lead} />
    <DemosPanel lead={lead} />
    <RecordPanels type="lead" id={lead.lead_id} />
    <Duplicates lead={lead} />
  </>
)

/** Other leads of the product with the same company name or email address. */
function Duplicates({ lead: { lead_id, lead_for, companyName, email } }: { lead: Lead }) {
  const { statuses } = useLeadOptions()
  const navigate = useNavigate()
  const [other, setOther] = useState<number>()
  const asked = { query: { lead_for, companyName, email: email ?? '', except: lead_id } }
  const { data } = useQuery(queryOptionsFor(leadOperations.duplicates, asked))
  const found = data?.data ?? []
  if (found.length === 0) return null
  return (
    <RailSection title="Possible duplicates" count={found.length}>
      <ul className={classes.duplicates}>
        {found.map((one) => {
          const { name, tone } = tonedEntryById(statuses, one.status)
          return (
            <li key={one.lead_id}>
              <Head as="p">
                <RecordLink type="lead" id={one.lead_id} name={one.companyName} />
                <Tone tone={tone}>{name}</Tone>
              </Head>
              <Soft small>{sameWords[one.same]}</Soft>
              <span className={classes.duplicateActs}>
                <DuplicateActs lead={one} others={[lead_id]} onCompare={() => setOther(one.lead_id)} />
              </span>
            </li>
          )
        })}
      </ul>
      {other !== undefined && (
        <Suspense>
          <MergeLeads
            ids={[lead_id, other]}
            onMerged={(kept) => {
              setOther(undefined)
              void navigate({ to: leadAddress(kept) })
            }}
            onClose={() => setOther(undefined)}
          />
        </Suspense>
      )}
    </RailSection>
  )
}
