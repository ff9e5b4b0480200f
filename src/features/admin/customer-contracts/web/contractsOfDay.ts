import IconSignature from '@tabler/icons-react/dist/esm/icons/IconSignature.mjs'
import { mayOpen } from '#shared/access.ts'
import { addDays, type PlainDate } from '#shared/dates.ts'
import { contracts } from '#features/admin/customer-contracts/contract.ts'
import { toQueryString } from '#web/api/query-string.ts'
import { daySource } from '#web/dashboard/daySource.ts'
import { recordAddress } from '#web/record/recordAddress.ts'
import { today } from '#web/time.ts'

const page = '/customer-contracts'
const daysAhead = 30
const endingBy = (day: PlainDate) => ({
  finished: 0 as const,
  due_to: addDays(day, daysAhead),
  column: 'due_date' as const,
  direction: 'asc' as const,
})

/** Customer contracts that are due within 30 days or overdue, and neither ended nor canceled. */
export const contractsOfDay = daySource({
  name: 'Customer contracts',
  icon: IconSignature,
  endpoint: contracts.list,
  input: (asking) => [{ query: endingBy(asking.today) }],
  all: ({ role_id }) => (mayOpen(role_id, page) ? `${page}?${toQueryString(endingBy(today()))}` : undefined),
  read: ({ data, total }, { viewer }) => ({
    total,
    items: data.map(({ id, title, organization, due_date }) => ({
      key: `contract ${id}`,
      title,
      detail: ['Contract', organization].filter(Boolean).join(' · '),
      when: { day: due_date },
      to: recordAddress('contract', id, viewer, title),
    })),
  }),
})
