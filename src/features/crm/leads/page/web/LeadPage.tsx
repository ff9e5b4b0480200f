import { leadQueriesAfterBulk } from '#features/crm/leads/record/web/patchLeadCaches.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { leads, type Lead } from '#features/crm/leads/contract.ts'
import { AssignCell } from '#features/crm/leads/record/web/AssignCell.tsx'
import { ColorCell } from '#features/crm/leads/record/web/ColorCell.tsx'
import { CreateOrganization } from '#features/crm/leads/organization/web/CreateOrganization.tsx'
import { DemosPanel } from '#features/crm/leads/demos/web/DemosPanel.tsx'
import { FollowupCell } from '#features/crm/leads/record/web/FollowupCell.tsx'
import { LeadActions } from '#features/crm/leads/record/web/LeadActions.tsx'
import { LeadFacts } from '#features/crm/leads/page/web/LeadFacts.tsx'
import { LeadTimeline } from '#features/crm/leads/page/web/LeadTimeline.tsx'
import { MoreOfLead } from '#features/crm/leads/page/web/MoreOfLead.tsx'
import {
  entryById,
  LeadOptionsProvider,
  useLeadOptions,
} from '#features/crm/leads/record/web/LeadOptions.tsx'
import { StuckMark } from '#features/crm/leads/record/web/StuckMark.tsx'
import { StatusCell } from '#features/crm/leads/record/web/StatusCell.tsx'
import { useLeadsChanged } from '#features/crm/leads/record/web/useLeadsChanged.ts'
import classes from '#features/crm/leads/page/web/lead.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { prefetch } from '#web/api/queries.ts'
import { ApiError } from '#web/api/errors.ts'
import { ErrorState, Loaded } from '#web/list/states.tsx'
import { LastAct } from '#web/record/LastAct.tsx'
import { RecordLayout } from '#web/record/RecordPage.tsx'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { useOrganization } from '#web/organization.ts'
import { RecordPanels } from '#web/shell/recordPanels.tsx'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import type { ReactNode } from 'react'

/** Page for the lead identified by the ID in the URL. */
export function LeadPage() {
  const params = useParams({ strict: false }) as { id?: string }
  const id = Number(params.id)
  if (!Number.isSafeInteger(id) || id < 1) return <NotFoundPage />
  return (
    <LeadOptionsProvider>
      <LeadDetails key={id} id={id} />
    </LeadOptionsProvider>
  )
}

function LeadDetails({ id }: { id: number }) {
  const query = useQuery(queryOptionsFor(leads.show, { query: { id } }))
  useOrganization(query.data?.data.organization_id)
  useLeadsChanged([leads.show])
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFoundPage />
  if (!query.data)
    return (
      <>
        <RecordHeader type="lead" id={id} title="Lead details" prefetch={prefetchLead} />
        {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      </>
    )
  return (
    <Loaded query={query} skeleton={<PageHeader title="Lead details" />}>
      {({ data: lead }) => (
        <>
          <RecordHeader
            type="lead"
            id={id}
            title={lead.companyName}
            parents={[['/demo-leads', 'Leads']]}
            prefetch={prefetchLead}
          >
            <CreateOrganization lead={lead} />
            <LeadActions lead={lead} />
            <MoreOfLead lead={lead} />
          </RecordHeader>
          <RecordLayout
            timeline={<LeadTimeline lead={lead} />}
            more={
              <>
                <DemosPanel lead={lead} />
                <RecordPanels type="lead" id={lead.lead_id} />
              </>
            }
          >
            <State lead={lead} />
            <LeadFacts lead={lead} />
            <LastAct refresh={leadQueriesAfterBulk} />
          </RecordLayout>
        </>
      )}
    </Loaded>
  )
}

const prefetchLead = (id: number) => void prefetch(queryOptionsFor(leads.show, { query: { id } }))

function State({ lead }: { lead: Lead }) {
  return (
    <section className={classes.state} aria-label="Status">
      <Fact name="Status">
        <StatusCell lead={lead} />
        <StuckMark lead={lead} />
      </Fact>
      <Fact name="Priority">
        <ColorCell lead={lead} />
      </Fact>
      <Fact name="Follow-up">
        <FollowupCell lead={lead} />
      </Fact>
      <Fact name="Assignee">
        <AssignCell lead={lead} />
      </Fact>
      {lead.reject_msg && <Rejection lead={lead} />}
    </section>
  )
}

/** Why the lead was rejected: the reason from the list, if one was chosen, and the words. */
function Rejection({ lead }: { lead: Lead }) {
  const { reject_reasons } = useLeadOptions()
  const reason = lead.reject_reason_id !== null && entryById(reject_reasons, lead.reject_reason_id).name
  return (
    <p className={classes.rejection}>
      Rejected: {reason && <strong>{reason}. </strong>}
      {lead.reject_msg}
    </p>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.stateFact}>
      <span>{name}</span>
      {children}
    </div>
  )
}
