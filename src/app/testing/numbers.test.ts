import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { productIds } from '#shared/products.ts'
import { roleIds } from '#shared/access.ts'
import { addDays } from '#shared/dates.ts'
import { weekFrom } from '#shared/trend.ts'
import {
  days,
  expectNumbersEqualLists,
  instantOn,
  today,
  type Counted,
} from '#app/testing/numbers.testing.ts'
import { startTestApp, type Reply, type TestApp } from '#app/testing/start.testing.ts'
import { leadsCounted } from '#features/crm/leads/numbers/contract.ts'
import { organizationsCounted } from '#features/crm/organizations/numbers.contract.ts'
import { onTrial } from '#features/crm/organizations/rules.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { postsCounted } from '#features/cms/articles/posts/numbers.contract.ts'
import { ticketsCounted } from '#features/crm/support/numbers.contract.ts'
import { tasksCounted } from '#features/tasks/tasks/numbers.contract.ts'
import { disciplineNames, disciplineOf } from '#features/tasks/tasks/rules.ts'

/*
 * Every tile and every bar of the dashboard has exactly the records of the list that it opens, for all roles and
 * products. The records are fixed, not random.
 */

const lastWeek = (numbers: Reply) => weekFrom(numbers['weeks'].at(-1))

test('leads: every number equals its list', async () => {
  const started = await startTestApp()
  await started.db
    .insertInto('leads')
    .values(
      productIds.flatMap((lead_for) =>
        days.flatMap((day, index) =>
          [1, 7, 8].flatMap((status) => [
            // A lead that came in with its status, and one that got it on another day.
            lead(lead_for, status, day, null),
            lead(lead_for, status, days[(index + lead_for) % days.length]!, instantOn(day)),
          ]),
        ),
      ),
    )
    .execute()
  await enterHistory(started)
  const of: Pick<Counted, 'numbers' | 'list' | 'product'> = {
    numbers: '/admin/users/lead-numbers',
    list: '/admin/users/get-demo-requests',
    product: 'lead_for',
  }
  const sums = await expectNumbersEqualLists(started, {
    created: {
      ...of,
      value: ({ created }) => created.total,
      filters: ({ period }) => leadsCounted.created(period),
    },
    'before that': {
      ...of,
      value: ({ created }) => created.before,
      filters: ({ period }) => leadsCounted.created(period.before),
    },
    won: {
      ...of,
      value: ({ won }) => won.total,
      filters: ({ period }, { won }) => leadsCounted.won(won.status, period),
    },
    'won before': {
      ...of,
      value: ({ won }) => won.before,
      filters: ({ period }, { won }) => leadsCounted.won(won.status, period.before),
    },
    'won or rejected': {
      ...of,
      value: ({ won }) => won.closed,
      filters: ({ period }) => leadsCounted.closed(period),
    },
    untouched: {
      ...of,
      value: ({ untouched }) => untouched,
      filters: ({ period }) => leadsCounted.untouched(period),
    },
    'a bar': {
      ...of,
      value: ({ by_status }) => by_status[0].counts.at(-1),
      filters: (_asking, numbers) => ({
        status: numbers['by_status'][0].status,
        ...leadsCounted.created(lastWeek(numbers)),
      }),
    },
  })
  for (const [name, sum] of Object.entries(sums)) expect([name, sum > 20]).toEqual([name, true])
})

/** Every second lead came into the panel long ago, and some of them have history, whose last entry is on one of the days. */
async function enterHistory({ db }: TestApp): Promise<void> {
  const old = await db
    .updateTable('leads')
    .set({ created_at: instantOn('2025-01-01') })
    .where(sql<boolean>`lead_id % 2 = 0`)
    .returning('lead_id')
    .execute()
  await db
    .insertInto('audit_log')
    .values(
      old
        .filter((_, index) => index % 4 > 0)
        .map(({ lead_id: target_id }, index) => ({
          endpoint: 'POST /admin/users/add-note',
          address: '',
          request_id: '',
          target_type: 'lead',
          target_id,
          at: instantOn(days[index % days.length]!),
        })),
    )
    .execute()
}

const lead = (lead_for: number, status: number, lead_date: string, status_at: string | null) => ({
  company_name: 'Aalto Linen',
  lead_for,
  status,
  lead_date,
  status_at,
  reject_msg: status === 8 ? 'No budget' : null,
})

test('tickets: every number equals its list', async () => {
  const started = await startTestApp()
  const { db } = started
  for (const product of productIds) {
    const organization_id = await enterOrganization(db, {}, [product])
    const ticket = {
      title: 'The scanner stopped',
      organization_id,
      last_message_at: instantOn(today),
    }
    const stored = await db
      .insertInto('tickets')
      .values(
        days.flatMap((day, index) =>
          [0, 3, 4, 5].map((status) => ({
            ...ticket,
            created_at: instantOn(day),
            status,
            assignee_id: index % 3 === 0 ? null : started.as(index % 3 === 1 ? 'support' : 'crm').id,
            target_due_at: instantOn(day),
          })),
        ),
      )
      .returning(['id', 'status'])
      .execute()
    await db
      .insertInto('ticket_messages')
      .values(
        stored.map(({ id: ticket_id }, index) => ({
          ticket_id,
          sent_by_admin: true,
          message: 'It works again.',
          created_at: instantOn(days[index % 15]!).replace(':00Z', ':30Z'),
        })),
      )
      .execute()
    // Some tickets are closed more than once, and some are open again.
    const change = (from_status: number, to_status: number) => (ticket_id: number, index: number) => ({
      ticket_id,
      from_status,
      to_status,
      changed_at: instantOn(days[index % days.length]!),
    })
    const ids = stored.map(({ id }) => id)
    await db
      .insertInto('ticket_status_changes')
      .values([...ids.map(change(0, 4)), ...ids.map(change(4, 0)), ...ids.slice(9).map(change(0, 5))])
      .execute()
  }
  const of = { numbers: '/admin/support/ticket-numbers', list: '/admin/support/ticket' }
  const sums = await expectNumbersEqualLists(started, {
    created: {
      ...of,
      value: ({ created }) => created.total,
      filters: ({ period }) => ticketsCounted.created(period),
    },
    open: { ...of, value: ({ open }) => open.total, filters: () => ticketsCounted.open },
    'open of those who have most': {
      ...of,
      value: ({ open }) => open.by[0].total,
      filters: (_asking, { open }) => ticketsCounted.openOf(open.by[0].id),
    },
    'open and unassigned': {
      ...of,
      value: ({ open }) => open.by.find(({ id }: { id: number }) => id === 0).total,
      filters: () => ticketsCounted.openOf(0),
    },
    overdue: { ...of, value: ({ overdue }) => overdue, filters: () => ticketsCounted.overdue },
    answered: {
      ...of,
      value: ({ first_response }) => first_response.answered,
      filters: ({ period }) => ticketsCounted.answered(period),
    },
    'opened in a week': {
      ...of,
      value: ({ opened }) => opened.at(-1),
      filters: (_asking, numbers) => ticketsCounted.created(lastWeek(numbers)),
    },
    'closed in a week': {
      ...of,
      value: ({ closed }) => closed.at(-1),
      filters: (_asking, numbers) => ticketsCounted.closed(lastWeek(numbers)),
    },
  })
  for (const [name, sum] of Object.entries(sums)) expect([name, sum > 20]).toEqual([name, true])
})

test('organizations: every number equals its list', async () => {
  const started = await startTestApp()
  for (const product of productIds)
    for (const ahead of [-1, 0, 1, 6, 7, 8, 13, 60, 62, 63, 90])
      for (const status of [1, onTrial])
        await enterOrganization(started.db, { status, trial_end_date: addDays(today, ahead) }, [product])
  const of = {
    numbers: '/admin/users/organization-numbers',
    list: '/admin/users/all-organizations-data',
  }
  const sums = await expectNumbersEqualLists(started, {
    'on trial': {
      ...of,
      value: ({ on_trial }) => on_trial.total,
      filters: () => organizationsCounted.on_trial,
    },
    'ends soon': {
      ...of,
      value: ({ ends_soon }) => ends_soon,
      filters: () => organizationsCounted.ends_soon,
    },
    'ending in a week': {
      ...of,
      value: ({ ending }) => ending[0],
      filters: (_asking, { weeks }) => organizationsCounted.ending(weekFrom(weeks[0])),
    },
    'ending in the last week': {
      ...of,
      value: ({ ending }) => ending.at(-1),
      filters: (_asking, numbers) => organizationsCounted.ending(lastWeek(numbers)),
    },
  })
  for (const [name, sum] of Object.entries(sums)) expect([name, sum > 20]).toEqual([name, true])
})

test('tasks: every number equals its list', async () => {
  const started = await startTestApp()
  await enterTasks(started)
  const counted = disciplineNames.flatMap((name): [string, Counted][] => {
    const { path } = disciplineOf(name)
    const of = { numbers: `${path}/numbers`, list: `POST ${path}`, product: 'product_id' }
    return [
      [
        `${name} delivered`,
        {
          ...of,
          value: ({ delivered }) => delivered.total,
          filters: ({ period }) => tasksCounted.delivered(period),
        },
      ],
      [
        `${name} delivered in a week`,
        {
          ...of,
          value: ({ delivered_per_week }) => delivered_per_week.at(-1),
          filters: (_asking, numbers) => tasksCounted.delivered(lastWeek(numbers)),
        },
      ],
      ...(['overdue', 'week', 'in_review'] as const).map((number): [string, Counted] => [
        `${name} ${number}`,
        {
          ...of,
          value: ({ own }) => own[number],
          filters: ({ client }) => tasksCounted[number](client.id, today),
        },
      ]),
    ]
  })
  const sums = await expectNumbersEqualLists(started, Object.fromEntries(counted))
  for (const [name, sum] of Object.entries(sums)) expect([name, sum > 10]).toEqual([name, true])
})

async function enterTasks({ db, as }: TestApp): Promise<void> {
  const due = (day: string) => ({ due_date: day, dev_due_date: addDays(day, -1) })
  await db
    .insertInto('tasks')
    .values(
      productIds.flatMap((product_id) =>
        disciplineNames.flatMap((discipline) => {
          const task = { title: 'Sort the racks', product_id, discipline }
          return [
            ...days.flatMap((day) => [
              { ...task, status: 4, created_at: instantOn(day) },
              { ...task, status: 4, created_at: instantOn(days.at(-1)!), status_at: instantOn(day) },
              { ...task, status: 7, created_at: instantOn(day) },
            ]),
            ...roleIds.flatMap((role) =>
              [-2, -1, 0, 1, 6, 7, 8].flatMap((ahead) =>
                [2, 4, 5].map((status) => ({
                  ...task,
                  ...due(addDays(today, ahead)),
                  status,
                  assigned_to: as(role).id,
                })),
              ),
            ),
          ]
        }),
      ),
    )
    .execute()
}

test('posts: every number equals its list', async () => {
  const started = await startTestApp()
  const { db, as } = started
  for (const product_id of productIds) {
    const { id: category } = await db
      .insertInto('article_categories')
      .values({ product_id, slug: 'linen', title: 'Linen' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const post = { kind: 'post', product_id, title: 'Sheets', category, author_id: as('super_admin').id }
    await db
      .insertInto('articles')
      .values(
        days.flatMap((day, index) => [
          { ...post, slug: `published-${index}`, published: 1, published_at: instantOn(day) },
          { ...post, slug: `unpublished-${index}`, published: 0, published_at: null },
        ]),
      )
      .execute()
  }
  const of = { numbers: '/admin/post-numbers', list: '/admin/posts', product: 'product_id' }
  const sums = await expectNumbersEqualLists(started, {
    published: {
      ...of,
      value: ({ published }) => published.total,
      filters: ({ period }) => postsCounted.published(period),
    },
    unpublished: {
      ...of,
      value: ({ unpublished }) => unpublished,
      filters: () => postsCounted.unpublished,
    },
  })
  for (const [name, sum] of Object.entries(sums)) expect([name, sum > 20]).toEqual([name, true])
})
