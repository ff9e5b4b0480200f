import { useQuery } from '@tanstack/react-query'
import { can } from '#shared/access.ts'
import { dashboard, type AuditEntry } from '#features/panel/dashboard/contract.ts'
import classes from '#features/panel/dashboard/web/dashboard.module.css'
import { queryTogether } from '#web/api/together.ts'
import { useMay } from '#web/api/useSend.ts'
import { CardList, DashboardCard, NothingHere, SeeAllLink } from '#web/dashboard/DashboardCard.tsx'
import { Loaded } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useViewer } from '#web/session.ts'
import { PageLink } from '#web/parts/PageLink.tsx'

const log = '/users/admin-log'

/** Dashboard card with the latest changes by anyone, for roles 0 and 1. */
export function AuditCard() {
  const may = useMay(dashboard.lastChanges)
  const query = useQuery(queryTogether(dashboard.lastChanges))
  const viewer = useViewer()
  if (!may) return null
  const hasLog = can(viewer, 'admin_users_log_list')
  return (
    <DashboardCard id="audit" title="Recent changes">
      <Loaded query={query} skeleton={null}>
        {({ audit }) =>
          audit.length === 0 ? (
            <NothingHere>No changes yet.</NothingHere>
          ) : (
            <>
              <CardList>
                {audit.map((entry) => (
                  <OneEntry key={entry.id} entry={entry} />
                ))}
              </CardList>
              {hasLog && <SeeAllLink title="Recent changes" to={log} search={{}} />}
            </>
          )
        }
      </Loaded>
    </DashboardCard>
  )
}

function OneEntry({ entry: { at, who, act, target, record } }: { entry: AuditEntry }) {
  const viewer = useViewer()
  const to = record && recordAddress(record.type, record.id, viewer, target ?? undefined)
  return (
    <li className={classes.entry}>
      <span>
        <span className={classes.who}>{who}</span> · <span className={classes.act}>{act}</span>
        {target && ' · '}
        {to ? <PageLink to={to}>{target}</PageLink> : target}
      </span>
      <span className={classes.at}>
        <Moment at={at} />
      </span>
    </li>
  )
}
