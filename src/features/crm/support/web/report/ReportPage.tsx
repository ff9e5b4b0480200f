import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { addDays } from '#shared/dates.ts'
import { usualDays } from '#shared/report-period.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { ReportFilters, supportReport, type SupportReport } from '#features/crm/support/report.contract.ts'
import { TicketsChart } from '#features/crm/support/web/report/TicketsChart.tsx'
import { HoursCard } from '#features/crm/support/web/report/HoursCard.tsx'
import { RatingsByOrganization, RatingsCard } from '#features/crm/support/web/report/RatingsCard.tsx'
import {
  AgesCard,
  GroupsCard,
  PeopleCard,
  TargetsCard,
} from '#features/crm/support/web/report/ReportTables.tsx'
import { ReportTiles } from '#features/crm/support/web/report/ReportTiles.tsx'
import classes from '#features/crm/support/web/report/report.module.css'
import { reportLinks } from '#features/crm/support/web/report/reportLinks.ts'
import { useAssignable } from '#features/crm/support/web/useAssignable.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { choice, type Filter } from '#web/filter/filters.tsx'
import { useOrganizationFilter } from '#web/filter/organizationFilter.tsx'
import { asPairs, useLists } from '#web/filter/useOptions.ts'
import { useAddress } from '#web/list/address/useAddress.ts'
import { Loaded } from '#web/list/states.tsx'
import { useReportExport } from '#web/report/csv.tsx'
import { periodFilters, ReportFrame } from '#web/report/ReportFrame.tsx'
import { NoAccessPage } from '#web/states/NoAccess.tsx'
import { useToday } from '#web/time.ts'

const parents = [['/support', 'Support tickets']] as const

/** What came in, what was answered and solved, and how fast, in a period that the user chooses. */
export function SupportReportPage() {
  const [asked, filterBy] = useAddress(ReportFilters)
  const today = useToday()
  // The address has a period only if it isn't the last 30 days.
  const filters: ReportFilters =
    asked.from || asked.to ? asked : { ...asked, from: addDays(today, 1 - usualDays), to: today }
  const controls = useReportFilters(filters)
  const may = useMay(supportReport.show, { query: filters })
  const query = useQuery({
    ...queryOptionsFor(supportReport.show, { query: filters }),
    enabled: may,
    placeholderData: keepPreviousData,
  })
  const exported = useReportExport('support report', supportReport.export, filters)
  if (!may) return <NoAccessPage />
  const change = (changed: Partial<ReportFilters>) => void filterBy(changed)
  return (
    <ReportFrame parents={parents} controls={controls} filters={filters} onChange={change} report={exported}>
      <Loaded query={query} what="The report">
        {({ data }) => <Report report={data} filters={filters} />}
      </Loaded>
    </ReportFrame>
  )
}

function useReportFilters({ organization }: ReportFilters): Filter<ReportFilters>[] {
  const { ticket_categories } = useLists('ticket_categories')
  const assignable = useAssignable()
  const byOrganization = useOrganizationFilter<ReportFilters>(organization, { none: 'No organization' })
  return [
    ...periodFilters<ReportFilters>(),
    choice<ReportFilters>(
      'category',
      ticketFields.category.label,
      'All categories',
      asPairs(ticket_categories),
    ),
    byOrganization,
    choice<ReportFilters>('assignee', ticketFields.assignee_id.label, 'Anyone', [
      ['me', 'Me'],
      ['none', 'Unassigned'],
      ...asPairs(assignable),
    ]),
  ]
}

function Report({ report, filters }: { report: SupportReport; filters: ReportFilters }) {
  const links = reportLinks(filters)
  return (
    <div className={classes.report}>
      <ReportTiles report={report} links={links} />
      <div className={classes.two}>
        <TicketsChart report={report} links={links} />
        <HoursCard report={report} links={links} />
      </div>
      <div className={classes.halves}>
        <div className={classes.cards}>
          <GroupsCard
            id="by-category"
            title="By category"
            table="categories"
            groups={report.categories}
            linksOf={({ id }) => reportLinks({ ...filters, category: id ?? undefined })}
            report={report}
            total={links}
          />
          <PeopleCard report={report} links={links} />
          <TargetsCard report={report} links={links} />
        </div>
        <div className={classes.cards}>
          <GroupsCard
            id="by-organization"
            title="By organization"
            about="those with the most tickets"
            table="organizations"
            groups={report.organizations}
            linksOf={({ id }) => reportLinks({ ...filters, organization: id ?? 0 })}
            report={report}
          />
          <AgesCard report={report} links={links} />
          <RatingsCard report={report} links={links} />
          <RatingsByOrganization
            report={report}
            linksOf={(organization) => reportLinks({ ...filters, organization })}
          />
        </div>
      </div>
    </div>
  )
}
