import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { leads, type Lead } from '#features/crm/leads/contract.ts'
import { demoStates, leadTypes } from '#features/crm/leads/rules.ts'
import { useSeenLead } from '#features/crm/leads/record/web/among.ts'
import { AssignCell } from '#features/crm/leads/cells/web/AssignCell.tsx'
import { ColorCell } from '#features/crm/leads/cells/web/ColorCell.tsx'
import { CreateOrganization } from '#features/crm/leads/organization/web/CreateOrganization.tsx'
import { DemosPanel } from '#features/crm/leads/demos/web/DemosPanel.tsx'
import { FollowupCell } from '#features/crm/leads/cells/web/FollowupCell.tsx'
import { LeadActions } from '#features/crm/leads/cells/web/LeadActions.tsx'
import { LeadHistory } from '#features/crm/leads/record/web/LeadHistory.tsx'
import { LeadNotes } from '#features/crm/leads/record/web/LeadNotes.tsx'
import { LeadOptionsProvider } from '#features/crm/leads/cells/web/LeadOptions.tsx'
import { LeadSteps, type Ahead } from '#features/crm/leads/record/web/LeadSteps.tsx'
import { MailsPanel } from '#features/crm/leads/mails/web/MailsPanel.tsx'
import { OpenBy } from '#features/crm/leads/record/web/OpenBy.tsx'
import { StatusCell } from '#features/crm/leads/cells/web/StatusCell.tsx'
import { useLeadsChanged } from '#features/crm/leads/cells/web/useLeadsChanged.ts'
import { WebsiteCheck } from '#features/crm/leads/website/web/WebsiteCheck.tsx'
import { TagNames } from '#features/crm/leads/cells/web/TagNames.tsx'
import classes from '#features/crm/leads/list/web/leads.module.css'
import websiteClasses from '#features/crm/leads/website/web/Website.module.css'
import { mayOpen } from '#shared/access.ts'
import { records } from '#shared/record.contract.ts'
import { ask } from '#web/api/client.ts'
import { ApiError } from '#web/api/errors.ts'
import { ErrorState, Loaded } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'
import { useOrganization } from '#web/organization.ts'
import { RecordPanels } from '#web/shell/recordPanels.tsx'
import { useMyProducts, useViewer } from '#web/session.ts'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'
import { PageHeader } from '#web/shell/PageHeader.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { slugOf } from '#web/slug.ts'
import { dayText } from '#web/time.ts'
import { useState, type ReactNode } from 'react'

/** Everything that is known of one lead; the id in the address finds it. */
export function LeadPage() {
  const params = useParams({ strict: false }) as { id?: string }
  const id = Number(params.id)
  const [steps, setSteps] = useState(0)
  if (!Number.isSafeInteger(id) || id < 1) return <NotFoundPage />
  return (
    <LeadOptionsProvider>
      <LeadDetails key={id} id={id} ahead={{ steps, setSteps }} />
    </LeadOptionsProvider>
  )
}

function LeadDetails({ id, ahead }: { id: number; ahead: Ahead }) {
  const query = useQuery(ask(leads.show, { query: { id } }))
  useSeenLead(id)
  useOrganization(query.data?.data.organization_id)
  useLeadsChanged([leads.show, leads.history, records.notes])
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFoundPage />
  if (!query.data)
    return (
      <>
        <PageHeader title="Lead details">
          <LeadSteps id={id} ahead={ahead} />
        </PageHeader>
        {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      </>
    )
  return (
    <Loaded query={query} skeleton={<PageHeader title="Lead details" />}>
      {({ data: lead }) => (
        <>
          <PageHeader title={lead.companyName}>
            <LeadSteps id={id} ahead={ahead} />
            <OpenBy id={id} />
            <CreateOrganization lead={lead} />
            <LeadActions lead={lead} />
          </PageHeader>
          <div className={classes.leadPage}>
            <div className={classes.leadMain}>
              <State lead={lead} />
              <Facts lead={lead} />
              <DemosPanel lead={lead} />
              {lead.details.length > 0 && <Imported details={lead.details} />}
            </div>
            <div className={classes.leadAside}>
              <LeadNotes id={id} />
              <MailsPanel lead={lead} />
              <RecordPanels type="lead" id={lead.lead_id} />
              <LeadHistory id={id} />
            </div>
          </div>
        </>
      )}
    </Loaded>
  )
}

function State({ lead }: { lead: Lead }) {
  return (
    <section className={classes.state} aria-label="State">
      <Fact name="Status">
        <StatusCell lead={lead} />
      </Fact>
      <Fact name="Priority">
        <ColorCell lead={lead} />
      </Fact>
      <Fact name="Follow-up">
        <FollowupCell lead={lead} />
      </Fact>
      <Fact name="Assigned to">
        <AssignCell lead={lead} />
      </Fact>
      {lead.reject_msg && <p className={classes.rejection}>Rejected: {lead.reject_msg}</p>}
    </section>
  )
}

function Facts({ lead }: { lead: Lead }) {
  const products = useMyProducts()
  const day = (value: string | null) => (value ? dayText(value) : '')
  return (
    <section className={classes.panel} aria-label="Facts">
      <h2>Facts</h2>
      <dl className={classes.facts}>
        <Known name="Contact">{lead.contactName}</Known>
        <Known name="E-mail">{lead.email && <a href={`mailto:${lead.email}`}>{lead.email}</a>}</Known>
        <Known name="Phone">{lead.phone && <a href={`tel:${lead.phone.replaceAll(/[^\d+]/g, '')}`}>{lead.phone}</a>}</Known>
        <Known name="Country">{lead.country}</Known>
        <Known name="Website">
          {lead.company_url && (
            <span className={websiteClasses.website}>
              <Website address={lead.company_url} />
              <WebsiteCheck lead={lead} />
            </span>
          )}
        </Known>
        <Known name="Organization">{lead.organization_id !== null && <OrganizationLink id={lead.organization_id} name={lead.organization_name ?? ''} />}</Known>
        <Known name="Time zone">{lead.timezone}</Known>
        <Known name="Product">{products.find(({ id }) => id === lead.lead_for)?.name ?? `#${lead.lead_for}`}</Known>
        <Known name="Service">{lead.services}</Known>
        <Known name="Type">{leadTypes[lead.lead_type as 1]}</Known>
        <Known name="Source">{lead.hear_about}</Known>
        <Known name="Demo">{demoStates[lead.demo_status as 0]}</Known>
        <Known name="Tags">{lead.tag_ids.length > 0 && <TagNames ids={lead.tag_ids} />}</Known>
        <Known name="Types of goods">{lead.cog_types.join(', ')}</Known>
        <Known name="Lead date">{day(lead.lead_date)}</Known>
        <Known name="Request date">{day(lead.request_date)}</Known>
        <Known name="Implementation date">{day(lead.implement_date)}</Known>
        <Known name="External ID">{lead.reference}</Known>
        <Known name="Answer">{lead.answer}</Known>
        <Known name="Join">{lead.join}</Known>
        <Known name="Additional info">{lead.additional_info}</Known>
        <Known name="Entered">
          <Moment at={lead.created_at} />
          {lead.created_by_name && ` by ${lead.created_by_name}`}
        </Known>
      </dl>
    </section>
  )
}

/** Who may not open organizations is led to the onboarding. */
function OrganizationLink({ id, name }: { id: number; name: string }) {
  const viewer = useViewer()
  const to = viewer && mayOpen(viewer.role_id, '/organizations') ? `/organizations/detail/${slugOf(name)}/0/${id}` : '/on-boarding'
  return <PageLink to={to}>{name}</PageLink>
}

/** One thing that is known of a lead, or a dash. */
function Known({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children || <span className={classes.nothing}>—</span>}</dd>
    </div>
  )
}

/** Only web addresses become links; the server stores no others. */
function Website({ address }: { address: string }) {
  if (!/^https?:\/\//i.test(address)) return address
  return (
    <a href={address} target="_blank" rel="noreferrer noopener">
      {address.replace(/^https?:\/\//i, '').replace(/\/$/, '')}
    </a>
  )
}

function Imported({ details }: { details: Lead['details'] }) {
  return (
    <section className={classes.panel} aria-label="From the imported file">
      <h2>From the imported file</h2>
      <dl className={classes.facts}>
        {details.map(({ label, value }) => (
          <Known key={label} name={label}>
            {value}
          </Known>
        ))}
      </dl>
    </section>
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
