import { useQuery } from '@tanstack/react-query'
import { tickets } from '#features/crm/support/contract.ts'
import { TicketLines } from '#features/crm/support/web/TicketLines.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { Loaded, LoadingState } from '#web/list/states.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Panel } from '#web/parts/Panel.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { RailSection } from '#web/sheet/RailSection.tsx'
import type { RecordPanel } from '#web/shell/recordPanels.tsx'
import { countText } from '#web/time.ts'

/** The tickets that a customer user opened, or those of an organization, on their page. */
const TicketsPanel: RecordPanel = ({ type, id }) =>
  type === 'organization' ? <OfOrganization id={id} /> : <OfUser id={id} />
export default TicketsPanel

function OfUser({ id }: { id: number }) {
  const query = useQuery(queryOptionsFor(tickets.ofUser, { params: { id } }))
  const may = useMay(tickets.ofUser, { params: { id } })
  return may && <Section query={query} />
}

function OfOrganization({ id }: { id: number }) {
  const query = useQuery(queryOptionsFor(tickets.list, { query: { organization: id } }))
  const may = useMay(tickets.list, { query: { organization: id } })
  return may && <Section query={query} all={`/support?organization=${id}`} />
}

type TicketsQuery = Parameters<
  typeof Loaded<Parameters<typeof TicketLines>[0] & { total: number }>
>[0]['query']

function Section({ query, all }: { query: TicketsQuery; all?: string }) {
  const content = (
    <Loaded query={query} what="Tickets" skeleton={<LoadingState rows={1} />}>
      {({ data, total }) => (
        <>
          {total === 0 && <Soft>No tickets yet.</Soft>}
          <TicketLines data={data} />
          {total > data.length && (
            <Soft small>
              {`Showing the latest ${countText(data.length)}. `}
              {all && <PageLink to={all}>Show all</PageLink>}
            </Soft>
          )}
        </>
      )}
    </Loaded>
  )
  const count = query.data && { count: query.data.total }
  // The page of an organization is not a sheet.
  if (all === undefined)
    return (
      <RailSection title="Tickets" {...count}>
        {content}
      </RailSection>
    )
  return (
    <Panel aria-label="Tickets">
      <h2>Tickets {count && <Soft as="span">{countText(count.count)}</Soft>}</h2>
      {content}
    </Panel>
  )
}
