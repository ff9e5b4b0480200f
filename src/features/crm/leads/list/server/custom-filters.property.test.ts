import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import type { CustomValue, CustomValues } from '#features/crm/leads/custom-fields.rules.ts'
import { addField } from '#features/crm/leads/custom-fields/server/custom-fields.testing.ts'

/*
 * Each filter by a custom field, and each pair of them, returns exactly the leads that a plain scan of their
 * `custom_values` returns: when they are new, after changes, and after an undo. The leads are fixed, not random.
 */

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length]!

interface Stored {
  lead_id: number
  lead_for: number
  custom_values: CustomValues
}
type Keeps = (value: CustomValue | undefined) => boolean

async function addFields(app: TestApp) {
  const add = async (name: string, type: Parameters<typeof addField>[1]['type'], choices?: string[]) =>
    (await addField(app, { name, type, ...(choices && { choices }) })).id
  return {
    sites: await add('Sites', 'number'),
    machine: await add('Machine', 'choice', ['Jensen', 'Elevator', 'None']),
    interests: await add('Interests', 'choices', ['Lockers', 'Training', 'Tracking']),
    ends: await add('Contract ends', 'date'),
    washes: await add('Washes in house', 'yes_no'),
    competitor: await add('Competitor', 'text'),
    tender: await add('Tender', 'link'),
    beds: (await addField(app, { name: 'Beds', type: 'number' }, 2)).id,
  }
}
type FieldIds = Awaited<ReturnType<typeof addFields>>

/** The values of the lead with this index; those that are undefined are left out. */
const valuesOf = (ids: FieldIds, index: number): CustomValues =>
  Object.fromEntries(
    Object.entries({
      [ids.sites]: pick([undefined, 0, -3, 4.5, 5, 10, 1_234_567_890_123.25], index),
      [ids.machine]: pick([undefined, 1, 2, 3], index >> 1),
      [ids.interests]: pick([undefined, [1], [1, 2], [3], [1, 2, 3]], index * 3),
      [ids.ends]: pick([undefined, '2026-12-31', '2027-01-01', '1999-05-05'], index * 7 + 1),
      [ids.washes]: pick([undefined, true, false], index >> 2),
      [ids.competitor]: pick([undefined, 'Côte 50% Linen', 'a_b\\c', 'LINEN line'], index * 5 + 2),
      [ids.tender]: pick([undefined, 'https://tender.example/7'], index >> 3),
      // Of another product.
      [ids.beds]: pick([undefined, 5], index),
    }).filter(([, value]) => value !== undefined),
  ) as CustomValues

const inRange =
  (from: number | string | undefined, to: number | string | undefined): Keeps =>
  (value) =>
    value !== undefined && !(value < (from ?? value)) && !(value > (to ?? value))
const isNone: Keeps = (value) => value === undefined
const isSome: Keeps = (value) => value !== undefined
const anyOf =
  (...ids: number[]): Keeps =>
  (value) =>
    [value].flat().some((one) => ids.includes(one as number))
const contains =
  (text: string): Keeps =>
  (value) =>
    typeof value === 'string' && value.toLowerCase().replaceAll('ô', 'o').includes(text)

const filtersOf = (ids: FieldIds): readonly (readonly [field: number, condition: string, keeps: Keeps])[] => [
  [ids.sites, 'in:5..10', inRange(5, 10)],
  [ids.sites, 'in:4.5..', inRange(4.5, undefined)],
  [ids.sites, 'in:..0', inRange(undefined, 0)],
  [ids.sites, 'in:1234567890123.25..1234567890123.25', inRange(1_234_567_890_123.25, 1_234_567_890_123.25)],
  [ids.sites, 'empty', isNone],
  [ids.machine, 'is:1', anyOf(1)],
  [ids.machine, 'is:2,3', anyOf(2, 3)],
  [ids.machine, 'is:99', anyOf(99)],
  [ids.machine, 'not:2,3', (value) => value !== 2 && value !== 3],
  [ids.machine, 'not:99', () => true],
  [ids.machine, 'empty', isNone],
  [ids.machine, 'filled', isSome],
  [ids.interests, 'is:2', anyOf(2)],
  [ids.interests, 'is:1,3', anyOf(1, 3)],
  [ids.interests, 'not:1,3', (value) => !anyOf(1, 3)(value)],
  [ids.interests, 'empty', isNone],
  [ids.interests, 'filled', isSome],
  [ids.ends, 'in:2026-12-31..2027-01-01', inRange('2026-12-31', '2027-01-01')],
  [ids.ends, 'in:2027-01-01..', inRange('2027-01-01', undefined)],
  [ids.ends, 'in:..2026-12-31', inRange(undefined, '2026-12-31')],
  [ids.washes, 'is:yes', (value) => value === true],
  [ids.washes, 'is:no', (value) => value === false],
  [ids.washes, 'empty', isNone],
  [ids.competitor, 'has:linen', contains('linen')],
  [ids.competitor, 'has:COTE 50%', contains('cote 50%')],
  [ids.competitor, 'has:a_b\\', contains('a_b\\')],
  [ids.tender, 'has:tender.example', contains('tender.example')],
  [ids.tender, 'empty', isNone],
  [ids.beds, 'in:5..5', inRange(5, 5)],
  [ids.beds, 'empty', isNone],
  [ids.beds, 'filled', isSome],
  // A condition that doesn’t fit the type of its field.
  [ids.machine, 'has:1', () => false],
  [ids.sites, 'in:2026-01-01..', () => false],
]

/** Compares all filters, alone and in pairs, with a scan of the leads as they are stored now. */
async function compare({ as, db }: TestApp, ids: FieldIds): Promise<number> {
  const leads = (await db
    .selectFrom('leads')
    .select(['lead_id', 'lead_for', 'custom_values'])
    .where('deleted_at', 'is', null)
    .orderBy('lead_id')
    .execute()) as unknown as Stored[]
  const filters = filtersOf(ids)
  let kept = 0
  const check = async (chosen: readonly (typeof filters)[number][]) => {
    const expected = leads
      .filter(({ lead_for, custom_values }) =>
        chosen.every(
          // Only values of the lead’s own product count.
          ([field, , keeps]) => (field === ids.beds ? 2 : 1) === lead_for && keeps(custom_values[field]),
        ),
      )
      .map(({ lead_id }) => lead_id)
    const query = chosen
      .map(([field, condition]) => `custom_filter[]=${encodeURIComponent(`${field}:${condition}`)}`)
      .join('&')
    const path = `/admin/users/get-demo-requests?${query}&fromDate=all&column=lead_id&direction=asc`
    const reply = await as('crm').get(path)
    expect([query, reply['total']]).toEqual([query, expected.length])
    expect([query, reply['data'].leads.map((lead: LeadRow) => lead.lead_id)]).toEqual([
      query,
      expected.slice(0, 20),
    ])
    kept += expected.length
  }
  for (const [index, one] of filters.entries()) {
    await check([one])
    for (const other of filters.slice(index + 1)) await check([one, other])
  }
  return kept
}

test('every filter by a custom field, alone and in every pair, keeps the same leads as a plain scan', async () => {
  const app = await startTestApp()
  const ids = await addFields(app)
  const entered = await app.db
    .insertInto('leads')
    .values(
      Array.from({ length: 90 }, (_, index) => ({
        company_name: `Company ${index}`,
        lead_date: '2026-03-10',
        lead_for: index % 6 === 5 ? 2 : 1,
        custom_values: JSON.stringify(valuesOf(ids, index)),
        ...(index % 13 === 12 && { deleted_at: '2026-03-16T09:00:00Z', deleted_by: 1 }),
      })),
    )
    .returning(['lead_id', 'lead_for', 'deleted_at'])
    .execute()
  // A scan that returns nothing would match a list that is always empty.
  expect(await compare(app, ids)).toBeGreaterThan(1000)

  // Some values change, some are cleared, one lead moves to the other product, and another is restored.
  const own = entered.filter(({ lead_for, deleted_at }) => lead_for === 1 && deleted_at === null)
  const change = async (lead_id: number, values: object) => {
    const reply = await app.as('crm').post('/admin/users/update-demo-requests', { lead_id, ...values })
    expect(reply.status).toBe(200)
    return reply
  }
  for (const [index, { lead_id }] of own.slice(0, 12).entries())
    await change(lead_id, {
      custom_values: {
        [ids.sites]: pick([7, null], index),
        [ids.interests]: pick([[2], null, [1, 3]], index),
        [ids.competitor]: 'Linen again',
      },
    })
  const moved = await change(own[20]!.lead_id, { lead_for: 2 })
  const [deleted] = entered.filter((lead) => lead.lead_for === 1 && lead.deleted_at !== null)
  await app.as('crm').post('/admin/records/lead/restore', { ids: [deleted!.lead_id] })
  const before = await compare(app, ids)
  expect(before).toBeGreaterThan(1000)

  await app.as('crm').post(`/admin/operations/${moved['operation'].id}/undo`)
  expect(await compare(app, ids)).not.toBe(before)
}, 120_000)
