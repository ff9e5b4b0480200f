import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { addDays } from '#shared/dates.ts'
import type { LeadRow } from '#features/crm/leads/contract.ts'

/*
 * Each filter, and each pair of filters of two kinds, returns exactly the leads that a simple scan of all leads returns.
 * The leads are fixed, not random.
 */

const today = '2026-03-16'
const pick = <T>(list: readonly T[], index: number): T => list[index % list.length]!
const dayOrNone = (index: number) =>
  pick(
    [
      null,
      addDays(today, -30),
      addDays(today, -1),
      today,
      addDays(today, 1),
      addDays(today, 7),
      addDays(today, 8),
    ],
    index,
  )

const stored = Array.from({ length: 120 }, (_, index) => ({
  company_name: pick(['Aalto 50%', 'Brackwater_Hotel', 'côte Perle', 'Tamsel\\Clinic'], index),
  contact_name: pick(['', 'Zoë Yıldız', 'Ann', '🧺'], index * 3 + 1),
  email: pick(['', 'a@aalto.example', 'B@tamsel.example'], index),
  country: pick(['Norway', 'Finland', '', 'norway'], index >> 1),
  timezone: pick(['Europe/Oslo', 'Asia/Tokyo', 'UTC'], index * 5 + 1),
  created_by: pick([null, 3, 5], index >> 3),
  recurring: pick(['once', 'monthly', 'yearly'], index >> 2),
  contact_role: pick(['', 'Owner', 'Buyer'], index * 7 + 2),
  implement_date: dayOrNone(index * 3 + 4),
  lead_for: pick([1, 2, 3, 4], index * 5),
  services: pick([null, 'Consulting', 'Linen rental'], index + 1),
  hear_about: pick([null, 'Webinar', 'Trade show'], index >> 2),
  assign_to: pick([null, 3, 4], index * 7),
  lead_type: pick([1, 2], index >> 1),
  color: pick([0, 1, 2, 3, 4], index >> 2),
  status: pick([1, 2, 3, 7, 8], index >> 3),
  reject_reason_id: pick([null, 1, 2], index >> 1),
  status_at: pick([null, '2026-03-01T00:00:00Z', '2026-03-16T23:59:00Z', '2026-02-28T23:59:00Z'], index * 7),
  demo_status: pick([0, 1, 2, 3], index >> 1),
  created_at: pick(['2026-01-05T09:00:00Z', '2026-03-09T23:59:00Z', '2026-03-10T00:00:00Z'], index >> 1),
  lead_date: pick(['2026-02-28', '2026-03-01', '2026-03-16', '2026-03-31', '2026-04-01'], index),
  request_date: dayOrNone(index * 3),
  followup_date: dayOrNone(index),
  expected_close: dayOrNone(index * 5 + 2),
  ...pick(
    [
      { amount: null, currency: null },
      { amount: 10, currency: 'EUR' },
      { amount: 20, currency: 'USD' },
    ],
    index >> 1,
  ),
  deleted_at: index % 11 === 0 ? '2026-03-16T09:00:00Z' : null,
  deleted_by: index % 11 === 0 ? 1 : null,
}))
/** When something last happened to the lead, if its log has an entry. */
const touchedAt = (index: number) =>
  pick([null, '2026-03-09T23:59:00Z', null, '2026-03-10T00:00:00Z', '2026-01-06T09:00:00Z'], index)
/** The name of the lead's other contact, if it has one. */
const otherContact = (index: number) => pick([null, null, 'Jude Okon', null, 'Aalto Wren'], index)
/** The role of the lead's other contact, if it has one. */
const otherRole = (index: number) => (otherContact(index) === 'Jude Okon' ? 'owner' : '')
const tagsOf = (index: number): number[] => pick([[], [1], [2], [1, 2], [3]], index)

type Stored = (typeof stored)[number] & {
  tags: number[]
  other: string | null
  other_role: string
  touched_at: string | null
}
const within = (day: string | null, from: string | undefined, to: string | undefined) =>
  day !== null && (from === undefined || day >= from) && (to === undefined || day <= to)
/** The day since which a lead has its status. */
const statusDay = (lead: Stored) => lead.status_at?.slice(0, 10) ?? lead.lead_date
const has = (lead: Stored, text: string) =>
  [lead.company_name, lead.contact_name, lead.email, '', lead.country, '', lead.other ?? '']
    .join(' ')
    .toLowerCase()
    .includes(text.toLowerCase())

/** A filter as sent to the API, and its equivalent in JavaScript. */
const filters: readonly (readonly [name: string, query: string, keeps: (lead: Stored) => boolean])[] = [
  ['search', 'search=AALTO', (lead) => has(lead, 'AALTO')],
  ['search', 'search=50%25', (lead) => has(lead, '50%')],
  ['search', 'search=r_H', (lead) => has(lead, 'r_H')],
  ['search', 'search=%5C', (lead) => has(lead, '\\')],
  ['search', 'search=%F0%9F%A7%BA', (lead) => has(lead, '🧺')],
  ['search', 'search=okon', (lead) => has(lead, 'okon')],
  ['search', 'search=jude%20aalto', (lead) => has(lead, 'jude') && has(lead, 'aalto')],
  ['status', 'status=2', (lead) => lead.status === 2],
  ['color', 'color=0', (lead) => lead.color === 0],
  ['statuses', 'status_any=2,8', (lead) => [2, 8].includes(lead.status)],
  ['priorities', 'color_any[]=0&color_any[]=4', (lead) => [0, 4].includes(lead.color)],
  ['amounts', 'amount_from=10&amount_to=15.5', (lead) => lead.amount === 10],
  ['amounts', 'amount_from=15', (lead) => lead.amount === 20],
  ['sources', 'source_any=Trade%20show', (lead) => lead.hear_about === 'Trade show'],
  [
    'sources',
    'source_any[]=Webinar&source_any[]=none',
    (lead) => lead.hear_about === null || lead.hear_about === 'Webinar',
  ],
  ['people', 'assignee_any=3,4', (lead) => lead.assign_to !== null],
  ['people', 'assignee_any=0,4', (lead) => lead.assign_to !== 3],
  ['date', 'fromDate=2026-03-16', (lead) => lead.lead_date >= '2026-03-16'],
  ['date', 'toDate=2026-03-01', (lead) => lead.lead_date <= '2026-03-01'],
  ['date', 'fromDate=all', () => true],
  ['follow', `follow_up_from=${today}`, (lead) => within(lead.followup_date, today, undefined)],
  ['follow', `follow_up_to=${today}`, (lead) => within(lead.followup_date, undefined, today)],
  [
    'request',
    `request_from=${today}&request_to=${addDays(today, 7)}`,
    (lead) => within(lead.request_date, today, addDays(today, 7)),
  ],
  ['status set', 'status_from=2026-03-01', (lead) => within(statusDay(lead), '2026-03-01', undefined)],
  ['status set', 'status_to=2026-03-01', (lead) => within(statusDay(lead), undefined, '2026-03-01')],
  ['queue', 'followup_filter=0', (lead) => lead.followup_date === null],
  ['queue', 'followup_filter=1', (lead) => within(lead.followup_date, undefined, addDays(today, -1))],
  ['queue', 'followup_filter=2', (lead) => lead.followup_date === today],
  ['queue', 'followup_filter=3', (lead) => lead.followup_date === addDays(today, 1)],
  ['queue', 'followup_filter=4', (lead) => within(lead.followup_date, addDays(today, 1), addDays(today, 7))],
  ['outcome', 'outcome_filter=open', (lead) => ![7, 8].includes(lead.status)],
  ['outcome', 'outcome_filter=closed', (lead) => [7, 8].includes(lead.status)],
  ['amount', 'amount_filter=with', (lead) => lead.amount !== null],
  ['amount', 'amount_filter=without', (lead) => lead.amount === null],
  ['currency', 'currency=EUR', (lead) => lead.currency === 'EUR'],
  ['close', `close_from=${today}`, (lead) => within(lead.expected_close, today, undefined)],
  ['close', `close_to=${today}`, (lead) => within(lead.expected_close, undefined, today)],
  ['close', 'close_filter=none', (lead) => lead.expected_close === null],
  [
    'activity',
    'untouched_days=7',
    (lead) => lead.created_at < '2026-03-10' && (lead.touched_at ?? '') < '2026-03-10',
  ],
  ['reason', 'reject_reason=2', (lead) => lead.reject_reason_id === 2],
  ['demo', 'demo_filter=0', (lead) => lead.demo_status === 0],
  ['service', 'software_filter=Consulting', (lead) => lead.services === 'Consulting'],
  ['assigned', 'assigned_filter=mine', (lead) => lead.assign_to === 3],
  ['assigned', 'assigned_filter=assigned', (lead) => lead.assign_to !== null],
  ['assigned', 'assigned_filter=unassigned', (lead) => lead.assign_to === null],
  ['person', 'crm_id=4', (lead) => lead.assign_to === 4],
  ['tags', 'tags_filter=1', (lead) => lead.tags.includes(1)],
  ['tags', 'tags_filter=2,3', (lead) => lead.tags.some((tag) => tag === 2 || tag === 3)],
  ['tags', 'tags_not=1', (lead) => !lead.tags.includes(1)],
  ['tags', 'tags_not=0,2,3', (lead) => !lead.tags.some((tag) => tag === 2 || tag === 3)],
  ['statuses', 'status_not=1,7,8', (lead) => ![1, 7, 8].includes(lead.status)],
  ['priorities', 'color_not=0', (lead) => lead.color !== 0],
  ['sources', 'source_not=Webinar', (lead) => lead.hear_about !== 'Webinar'],
  ['sources', 'source_not[]=Webinar&source_not[]=none', (lead) => lead.hear_about === 'Trade show'],
  ['people', 'assignee_not=3', (lead) => lead.assign_to !== 3],
  ['people', 'assignee_not=0,3', (lead) => lead.assign_to === 4],
  [
    'services',
    'service_any[]=none&service_any[]=Consulting',
    (lead) => [null, 'Consulting'].includes(lead.services),
  ],
  ['services', 'service_not=Consulting', (lead) => lead.services !== 'Consulting'],
  ['demos', 'demo_any=0,3', (lead) => [0, 3].includes(lead.demo_status)],
  ['demos', 'demo_not=0', (lead) => lead.demo_status !== 0],
  ['types', 'type_any=1,2', () => true],
  ['types', 'type_not=2', (lead) => lead.lead_type === 1],
  ['reasons', 'reject_reason_any=0,2', (lead) => [null, 2].includes(lead.reject_reason_id)],
  ['reasons', 'reject_reason_not=2', (lead) => lead.reject_reason_id !== 2],
  ['currencies', 'currency_any[]=eur&currency_any[]=USD', (lead) => lead.currency !== null],
  ['currencies', 'currency_not=EUR', (lead) => lead.currency !== 'EUR'],
  ['country', 'country_any=NORWAY', (lead) => lead.country.toLowerCase() === 'norway'],
  ['country', 'country_any=Atlantis', () => false],
  [
    'country',
    'country_not[]=Norway&country_not[]=Atlantis',
    (lead) => lead.country.toLowerCase() !== 'norway',
  ],
  ['billing', 'billing_any[]=monthly&billing_any[]=yearly', (lead) => lead.recurring !== 'once'],
  ['billing', 'billing_not=monthly', (lead) => lead.recurring !== 'monthly'],
  ['time zone', 'timezone_any=Europe/Oslo', (lead) => lead.timezone === 'Europe/Oslo'],
  ['time zone', 'timezone_not=UTC', (lead) => lead.timezone !== 'UTC'],
  ['creator', 'creator_any=0,5', (lead) => lead.created_by !== 3],
  ['creator', 'creator_not=3', (lead) => lead.created_by !== 3],
  ['creator', 'creator_not=0', (lead) => lead.created_by !== null],
  ['created', 'created_from=2026-03-10', (lead) => lead.created_at >= '2026-03-10'],
  [
    'created',
    'created_from=2026-03-09&created_to=2026-03-09',
    (lead) => lead.created_at.startsWith('2026-03-09'),
  ],
  ['implementation', `implement_from=${today}`, (lead) => within(lead.implement_date, today, undefined)],
  ['implementation', `implement_to=${today}`, (lead) => within(lead.implement_date, undefined, today)],
  ['role', 'contact_role=OWNER', (lead) => lead.contact_role === 'Owner' || lead.other_role === 'owner'],
  ['product', 'lead_for=2', (lead) => lead.lead_for === 2],
  ['type', 'lead_filter=1', (lead) => lead.lead_type === 1],
]

test('every filter, alone and with each kind of filter, keeps the same leads as a plain scan', async () => {
  const { as, db } = await startTestApp()
  const ids = (await db.insertInto('leads').values(stored).returning('lead_id').execute()).map(
    ({ lead_id }) => lead_id,
  )
  await db
    .insertInto('lead_tag_links')
    .values(ids.flatMap((lead_id, index) => tagsOf(index).map((tag_id) => ({ lead_id, tag_id }))))
    .execute()
  await db
    .insertInto('lead_contacts')
    .values(
      ids.flatMap((lead_id, index) => {
        const name = otherContact(index)
        return name === null ? [] : [{ lead_id, name, role: otherRole(index) }]
      }),
    )
    .execute()
  await db
    .insertInto('audit_log')
    .values(
      ids.flatMap((target_id, index) => {
        const entry = { endpoint: 'POST /admin/users/add-note', address: '', request_id: '', target_id }
        const at = touchedAt(index)
        return [
          ...(at === null ? [] : [{ ...entry, target_type: 'lead', at }]),
          // Of another record with the same ID.
          { ...entry, target_type: 'ticket', at: '2026-03-15T09:00:00Z' },
        ]
      }),
    )
    .execute()
  const leads = stored.map((lead, index): Stored & { lead_id: number } => ({
    ...lead,
    lead_id: ids[index]!,
    tags: tagsOf(index),
    other: otherContact(index),
    other_role: otherRole(index),
    touched_at: touchedAt(index),
  }))
  const scan = (keeps: readonly ((lead: Stored) => boolean)[], dated: boolean) =>
    leads
      .filter(
        (lead) =>
          lead.deleted_at === null &&
          (dated || within(lead.lead_date, '2026-03-01', '2026-03-31')) &&
          keeps.every((keep) => keep(lead)),
      )
      .map(({ lead_id }) => lead_id)
  const check = async (chosen: readonly (typeof filters)[number][]) => {
    const query = chosen.map(([, one]) => one).join('&')
    const expected = scan(
      chosen.map(([, , keeps]) => keeps),
      chosen.some(([name]) => name === 'date'),
    )
    const reply = await as('crm').get(`/admin/users/get-demo-requests?${query}&column=lead_id&direction=asc`)
    expect([query, reply['total']]).toEqual([query, expected.length])
    expect([query, reply['data'].leads.map((lead: LeadRow) => lead.lead_id)]).toEqual([
      query,
      expected.slice(0, 20),
    ])
    return expected.length
  }
  let kept = 0
  for (const one of filters) kept += await check([one])
  // Each filter with one of each other kind: all pairs of kinds, by turns of the kind’s filters.
  const kinds = [...Map.groupBy(filters, ([kind]) => kind).values()]
  for (const [index, kind] of kinds.entries())
    for (const others of kinds.slice(index + 1))
      for (let turn = 0; turn < Math.max(kind.length, others.length); turn += 1)
        kept += await check([pick(kind, turn + index), pick(others, turn)])
  // A scan that returns nothing would match a list that is always empty.
  expect(kept).toBeGreaterThan(1000)
})
