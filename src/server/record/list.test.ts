import { expect, test } from 'vitest'
import {
  PostgresAdapter,
  DummyDriver,
  Kysely,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import { conditionsOf, handledElsewhere } from '#server/record/list.ts'

interface Filters {
  page: number
  column: 'id'
  direction: 'asc'
  search: string
  status?: number | undefined
  tab: string
}
const conditions = {
  search: (search: string) => sql`search = ${search}`,
  status: (status: number) => sql`status = ${status}`,
  tab: handledElsewhere,
}
const db = new Kysely({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (of) => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
const sqlOf = (filters: Partial<Filters>) =>
  conditionsOf<Filters>(filters, conditions).map((part) => part.compile(db).sql)

test('only filters with a value add a condition, and 0 is a value', () => {
  expect(sqlOf({ page: 2, search: '', status: undefined, tab: 'open' })).toEqual([])
  expect(sqlOf({ search: 'linen', status: 0 })).toEqual(['search = $1', 'status = $1'])
})

test('a query that has no condition for a filter of its contract does not compile', () => {
  const { status: _, ...incomplete } = conditions
  // @ts-expect-error `status` is missing.
  expect(conditionsOf<Filters>({ status: 1 }, incomplete)).toEqual([])
  // @ts-expect-error The contract has no `state`.
  expect(conditionsOf<Filters>({}, { ...conditions, state: handledElsewhere })).toEqual([])
})
