import type { Reply } from '#shared/endpoint.ts'
import IconCalendarEvent from '@tabler/icons-react/dist/esm/icons/IconCalendarEvent.mjs'
import { useQuery } from '@tanstack/react-query'
import { dayText } from '#shared/dates.ts'
import { OnboardingFilters, onboardings, type OnboardingRow } from '#features/crm/onboarding/contract.ts'
import { onboardingFields } from '#features/crm/onboarding/fields.ts'
import {
  dayInStage,
  onboardingStatuses,
  onboardingTabNames,
  onboardingTones,
  tabNames,
} from '#features/crm/onboarding/rules.ts'
import { DualTime } from '#web/DualTime.tsx'
import { onboardingAddress } from '#features/crm/onboarding/web/onboardingAddress.ts'
import { Progress } from '#features/crm/onboarding/web/OnboardingProgress.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { Card, NameLink } from '#web/list/cells.tsx'
import { DueDate } from '#web/list/DueDate.tsx'
import { columnsOfFields } from '#web/list/columns.ts'
import { choice } from '#web/filter/filters.tsx'
import { ListPage } from '#web/list/ListPage.tsx'
import { useAddress } from '#web/list/address/useAddress.ts'
import { prepareList, useList, type ListOf } from '#web/list/useList.ts'
import { product as chosenProduct, useProduct } from '#web/session.ts'
import { TextLink } from '#web/parts/controls.tsx'
import { FilterTab, FilterTabs } from '#web/parts/Tabs.tsx'
import { NoAccessPage } from '#web/states/NoAccess.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { today } from '#web/time.ts'

/** Number of days in the current stage, highlighted if higher than usual. */
function Days({ row }: { row: OnboardingRow }) {
  const day = dayInStage(row.stage_since, today())
  const words = `Day ${day} (usually ${row.usual_days})`
  return day > row.usual_days && row.status === 1 ? <Tone tone="red">{words}</Tone> : words
}

const nextOf = (row: OnboardingRow) => ({ day: row.next_expected_date, isOpen: row.status !== 3 })

const columns = columnsOfFields<OnboardingRow, typeof onboardingFields>(onboardingFields, {
  organization: {
    cell: (row) => <NameLink to={onboardingAddress(row)}>{row.organization}</NameLink>,
    title: ({ organization }) => organization,
  },
  done: { cell: (row) => <Progress row={row} /> },
  stage_since: { header: 'Time in stage', cell: (row) => <Days row={row} /> },
  next_expected_date: { header: 'Next expected', cell: (row) => <DueDate {...nextOf(row)} /> },
  schedule_for: {
    cell: (row) => row.schedule_for && <DualTime at={row.schedule_for} zone={row.timezone} />,
  },
  training_requested: { cell: (row) => row.training_requested && <Tone tone="violet">Requested</Tone> },
  hold_reason: {
    header: 'On hold',
    cell: (row) =>
      row.hold_reason && `${row.hold_reason}${row.resume_on ? ` (until ${dayText(row.resume_on)})` : ''}`,
    title: (row) => row.hold_reason,
  },
})

const onboardingList: ListOf<OnboardingRow, typeof OnboardingFilters, Reply<typeof onboardings.list>> = {
  name: 'onboarding',
  endpoint: onboardings.list,
  filters: OnboardingFilters,
  columns,
  rowKey: ({ id }) => id,
  rowName: ({ organization }) => organization,
  scopedBy: 'lead_for',
  addressOf: onboardingAddress,
  card: (row) => onboardingCard(row),
  searchLabel: 'Search onboardings',
}
export const prepareOnboardings = (search: Record<string, unknown>) =>
  prepareList(onboardingList, search, { query: { tab: search['tab'] ?? 'in_progress' } })

/**
 * Page that lists a product's onboardings by status; its selected tab is stored separately from the
 * follow-ups tab.
 */
export function OnboardingsPage() {
  const may = useMay(onboardings.show, { query: { id: 1 } })
  return may ? <OnboardingList /> : <NoAccessPage />
}

function OnboardingList() {
  const product = useProduct() ?? chosenProduct() ?? 1
  const stages = useQuery(queryOptionsFor(onboardings.stages, { query: { product } })).data?.data ?? []
  // The tab is always sent, because without it the same endpoint returns lead follow-ups.
  const [{ tab }] = useAddress(OnboardingFilters)
  const list = useList(onboardingList, { query: { tab } })
  const counts = list.reply?.tabs
  return (
    <ListPage
      list={list}
      actions={
        <TextLink to="/on-boarding/demo-leads-schedule" icon={<IconCalendarEvent size={14} aria-hidden />}>
          Next schedule
        </TextLink>
      }
      above={
        <FilterTabs label="Status">
          {onboardingTabNames.map((tab) => (
            <FilterTab
              key={tab}
              isCurrent={list.filters.tab === tab}
              {...(counts && { count: counts[tab].toLocaleString() })}
              onClick={() => void list.filterBy({ tab })}
            >
              {tabNames[tab]}
            </FilterTab>
          ))}
        </FilterTabs>
      }
      filters={[
        choice<OnboardingFilters>(
          'stage',
          'Stage',
          'All stages',
          stages.map(({ id, name }) => [id, name]),
        ),
        choice<OnboardingFilters>(
          'assigned_filter',
          'Assignee',
          'All assignees',
          [
            ['mine', 'Me'],
            ['unassigned', 'Unassigned'],
          ],
          { none: 'all' },
        ),
      ]}
      empty={{
        title: `No onboardings ${tabNames[list.filters.tab].toLowerCase()}`,
        text: 'To start an onboarding, open a lead and choose “Create organization”.',
      }}
    />
  )
}

export const StatusTone = ({ status }: { status: number }) => (
  <Tone tone={onboardingTones[status as 1]}>{onboardingStatuses[status as 1]}</Tone>
)

const onboardingCard = (row: OnboardingRow) => (
  <Card
    title={<NameLink to={onboardingAddress(row)}>{row.organization}</NameLink>}
    aside={row.stage_name}
    due={{ ...nextOf(row), label: 'Next expected' }}
  >
    <Progress row={row} />
    <Days row={row} /> {row.assigned_name}
  </Card>
)
