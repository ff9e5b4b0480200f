import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { dayText } from '#shared/dates.ts'
import {
  leadDuplicates,
  type DuplicateGroup,
  type DuplicateLead,
} from '#features/crm/leads/duplicates/contract.ts'
import { DuplicateActs } from '#features/crm/leads/duplicates/web/DuplicateActs.tsx'
import { sameWords } from '#features/crm/leads/duplicates/web/sameWords.ts'
import classes from '#features/crm/leads/duplicates/web/duplicates.module.css'
import {
  LeadOptionsProvider,
  tonedEntryById,
  useLeadOptions,
} from '#features/crm/leads/record/web/LeadOptions.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { EmptyState, Loaded } from '#web/list/states.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { RecordLink } from '#web/record/RecordLink.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { useScope } from '#web/shell/useScope.ts'
import { NoAccessPage } from '#web/states/NoAccess.tsx'
import { countText } from '#web/time.ts'

const MergeLeads = lazyPart(() => import('#features/crm/leads/operations/web/MergeLeads.tsx'))

const parents = [['/demo-leads', 'Leads']] as const

/** Page with the leads of the product that may be the same, to be merged or marked as different. */
export function DuplicatesPage() {
  const scope = useScope()
  const input = { query: scope === undefined ? {} : { lead_for: scope } }
  const may = useMay(leadDuplicates.groups, input)
  const query = useQuery(queryOptionsFor(leadDuplicates.groups, input))
  if (!may) return <NoAccessPage parents={parents} />
  return (
    <LeadOptionsProvider>
      <PageHeader parents={parents} />
      <Loaded query={query} what="Possible duplicates">
        {({ data, total }) =>
          data.length === 0 ? (
            <EmptyState title="No duplicates found">
              Leads with the same email address, phone number, domain, or name, or nearly the same name,
              appear here.
            </EmptyState>
          ) : (
            <Groups groups={data} total={total} />
          )
        }
      </Loaded>
    </LeadOptionsProvider>
  )
}

function Groups({ groups, total }: { groups: readonly DuplicateGroup[]; total: number }) {
  const [compared, setCompared] = useState<readonly [number, number]>()
  return (
    <div className={classes.page}>
      <Soft>{aboutText(groups.length, total)}</Soft>
      {groups.map((group) => (
        <Group key={group.leads[0]!.lead_id} group={group} onCompare={setCompared} />
      ))}
      {compared && (
        <Suspense>
          <MergeLeads
            ids={compared}
            onMerged={() => setCompared(undefined)}
            onClose={() => setCompared(undefined)}
          />
        </Suspense>
      )}
    </div>
  )
}

const aboutText = (shown: number, total: number) =>
  shown < total
    ? `The ${shown} most likely of ${countText(total)} groups. More appear when these are merged or marked.`
    : `${countText(total)} ${total === 1 ? 'group' : 'groups'}, the most likely first.`

interface GroupProps {
  group: DuplicateGroup
  onCompare: (ids: readonly [number, number]) => void
}

function Group({ group: { same, leads }, onCompare }: GroupProps) {
  const reasons = same
    .map((one, index) => (index === 0 ? sameWords[one] : sameWords[one].toLowerCase()))
    .join(', ')
  const oldest = leads[0]!
  return (
    <section className={classes.group} aria-label={`${reasons}: ${oldest.companyName}`}>
      <h2>{reasons}</h2>
      <ul>
        {leads.map((lead) => (
          <li key={lead.lead_id}>
            <LeadLine lead={lead} />
            <span className={classes.acts}>
              {lead !== oldest && (
                <DuplicateActs
                  lead={lead}
                  others={leads.filter((one) => one !== lead).map((one) => one.lead_id)}
                  onCompare={() => onCompare([oldest.lead_id, lead.lead_id])}
                />
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function LeadLine({ lead }: { lead: DuplicateLead }) {
  const { statuses } = useLeadOptions()
  const { lead_id, companyName, contactName, email, phone, lead_date, status, assignee } = lead
  const { name, tone } = tonedEntryById(statuses, status)
  return (
    <>
      <span className={classes.name}>
        <RecordLink type="lead" id={lead_id} name={companyName} />
        <Soft small as="span">{`#${lead_id}, ${dayText(lead_date)}`}</Soft>
      </span>
      <span className={classes.person}>{[contactName, email, phone].filter(Boolean).join(', ')}</span>
      <span>
        <Tone tone={tone}>{name}</Tone>
      </span>
      <Soft as="span">{assignee ?? 'Unassigned'}</Soft>
    </>
  )
}
