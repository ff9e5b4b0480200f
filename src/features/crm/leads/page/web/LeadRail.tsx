import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Lead } from '#features/crm/leads/contract.ts'
import { DemosPanel } from '#features/crm/leads/demos/web/DemosPanel.tsx'
import { sameWords } from '#features/crm/leads/duplicates/web/sameWords.ts'
import { useNotDuplicate } from '#features/crm/leads/duplicates/web/useNotDuplicate.ts'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { OrganizationOfLead } from '#features/crm/leads/organization/web/OrganizationOfLead.tsx'
import classes from '#features/crm/leads/page/web/lead.module.css'
import { leadAddress } from '#features/crm/leads/record/web/LeadLink.tsx'
import { tonedEntryById, useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { useLeadsChanged } from '#features/crm/leads/record/web/useLeadsChanged.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
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
  useLeadsChanged([leadOperations.duplicates])
  const mayMerge = useMay(leadOperations.mergePreview)
  const { may: mayMark, mark, sending } = useNotDuplicate()
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
              {mayMerge && (
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`Compare and merge: ${one.companyName} #${one.lead_id}`}
                  onClick={() => setOther(one.lead_id)}
                >
                  Compare and merge
                </Button>
              )}
              {mayMark && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  disabled={sending}
                  aria-label={`Not a duplicate: ${one.companyName} #${one.lead_id}`}
                  onClick={() => void mark(one.lead_id, [lead_id])}
                >
                  Not a duplicate
                </Button>
              )}
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
