import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import {
  NotificationFilters,
  notifications,
  type NotificationRow,
} from '#features/crm/notifications/contract.ts'
import { notificationFields, notificationStatuses } from '#features/crm/notifications/fields.ts'
import { useMay } from '#web/api/useSend.ts'
import { Card, NameLink } from '#web/list/cells.tsx'
import { columnsOfFields } from '#web/list/columns.ts'
import { choice } from '#web/filter/filters.tsx'
import { ListPage } from '#web/list/ListPage.tsx'
import { prepareList, useList, type ListOf } from '#web/list/useList.ts'
import { asPairs, useLists } from '#web/filter/useOptions.ts'
import { Moment } from '#web/Moment.tsx'
import { TextLink } from '#web/parts/controls.tsx'
import { Tone } from '#web/parts/Tone.tsx'

const addressOf = ({ id }: NotificationRow) => `/notifications/update-notification/${id}`
const statusNames = Object.entries(notificationStatuses).map(([id, name]): [number, string] => [
  Number(id),
  name,
])

const Status = ({ row }: { row: NotificationRow }) => (
  <Tone tone={row.status === 1 ? 'green' : 'gray'}>{notificationStatuses[row.status as 0]}</Tone>
)
function Type({ id }: { id: number }) {
  const { notification_types } = useLists('notification_types')
  const found = notification_types.find((one) => one.id === id)
  return <Tone tone={found?.tone ?? 'gray'}>{found?.name ?? `#${id}`}</Tone>
}
function goesTo({ emails, hidden_emails }: NotificationRow): string {
  const count = emails.length + hidden_emails
  return count === 0 ? 'All' : count === 1 ? emails[0]! : `${count} addresses`
}

const columns = columnsOfFields<NotificationRow, typeof notificationFields>(notificationFields, {
  subject: {
    cell: (row) => <NameLink to={addressOf(row)}>{row.subject}</NameLink>,
    title: ({ subject }) => subject,
  },
  status: { cell: (row) => <Status row={row} /> },
  type: { cell: (row) => <Type id={row.type} /> },
  emails: { header: 'To', cell: goesTo },
  sent_at: { cell: (row) => row.sent_at && <Moment at={row.sent_at} /> },
})

const notificationList: ListOf<NotificationRow, typeof NotificationFilters> = {
  name: 'notifications',
  type: 'notification',
  endpoint: notifications.list,
  filters: NotificationFilters,
  columns,
  rowKey: ({ id }) => id,
  rowName: ({ subject }) => subject,
  addressOf,
  card: (row) => notificationCard(row),
  searchLabel: 'Search notifications',
}
export const prepareNotifications = (search: Record<string, unknown>) => prepareList(notificationList, search)

/** Page with the notifications sent to customer users, and the drafts. */
export function NotificationsPage() {
  const list = useList(notificationList)
  const { notification_types } = useLists('notification_types')
  const maySend = useMay(notifications.recipients, { body: { emails: [] } })
  const add = maySend && (
    <TextLink primary to="/notifications/new" icon={<IconPlus size={14} aria-hidden />}>
      Send notification
    </TextLink>
  )
  return (
    <ListPage
      list={list}
      actions={add}
      filters={[
        choice<NotificationFilters>('status', 'Status', 'All statuses', statusNames),
        choice<NotificationFilters>('type', 'Type', 'All types', asPairs(notification_types)),
      ]}
      empty={{
        title: 'No notifications yet',
        text: 'Notifications that you email to customer users appear here.',
        action: add,
      }}
    />
  )
}

const notificationCard = (row: NotificationRow) => (
  <Card title={<NameLink to={addressOf(row)}>{row.subject}</NameLink>} aside={<Status row={row} />}>
    {goesTo(row)}
  </Card>
)
