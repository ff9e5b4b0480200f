import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'

/*
 * Simulated users who create and change leads over HTTP, one request at a time, each with an Idempotency-Key,
 * and a count of the results.
 */

/** A request that is repeated with the same key until it is acknowledged. */
export interface Act {
  key: string
  kind: 'create' | 'followup' | 'phone'
  /** Value that the request writes; no other operation writes the same value to the same lead. */
  value: string
  lead_id: number
  state: 'unsent' | 'unanswered' | 'acknowledged'
}

export interface Person {
  token: string
  /** A lead that only this user changes. */
  lead_id: number
  acts: Act[]
}

const at = '/api/admin/users'

/**
 * Creates a lead for a user and plans their operations: every fifth operation creates another lead, and the
 * rest change the first lead.
 */
export async function plan(url: string, token: string, name: string, howMany: number): Promise<Person> {
  const answer = await post(url, '/save-demo-requests', token, `${name}-begin`, {
    companyName: name,
    lead_for: 1,
  })
  if (answer.status !== 200) throw new Error(await answer.text())
  const { lead_id } = ((await answer.json()) as { data: { lead_id: number } }).data
  const acts = Array.from({ length: howMany }, (_, index): Act => {
    const kind = index % 5 === 4 ? 'create' : index % 2 ? 'phone' : 'followup'
    const day = new Date(Date.UTC(2027, 0, 1 + index)).toISOString().slice(0, 10)
    return {
      key: `${name}-act-${index}`,
      kind,
      value: kind === 'followup' ? day : kind === 'phone' ? `030 ${1000 + index}` : `${name} ${index}`,
      lead_id,
      state: 'unsent',
    }
  })
  return { token, lead_id, acts }
}

/**
 * Sends an operation; returns the HTTP status, or undefined if there was no response. Unacknowledged
 * operations may be sent again.
 */
export async function send(url: string, token: string, act: Act): Promise<number | undefined> {
  const before = act.state
  act.state = 'unanswered'
  try {
    const { status } = await request(url, token, act)
    if (status === 200) act.state = 'acknowledged'
    return status
  } catch (error) {
    // Nothing was listening, so the request never arrived.
    if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED')
      act.state = before
    return undefined
  }
}

function request(url: string, token: string, { key, kind, value, lead_id }: Act): Promise<Response> {
  if (kind === 'create')
    return post(url, '/save-demo-requests', token, key, { companyName: value, lead_for: 1 })
  if (kind === 'phone') return post(url, '/update-demo-requests', token, key, { lead_id, phone: value })
  return call(`${url}${at}/change-followup-date?id=${lead_id}&date=${value}`, token, {
    headers: { 'Idempotency-Key': key },
  })
}

const post = (url: string, path: string, token: string, key: string, body: object) =>
  call(`${url}${at}${path}`, token, {
    method: 'POST',
    headers: { 'Idempotency-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

async function call(address: string, token: string, { headers, ...init }: RequestInit): Promise<Response> {
  const answer = await fetch(address, {
    ...init,
    headers: { ...(headers as object), Authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(20_000),
  })
  // A response counts only once it is complete.
  const body = await answer.text()
  return new Response(body || null, { status: answer.status })
}

/** Reads the first page of the list; returns the status, or undefined if there was no response. */
export async function readList(url: string, token: string): Promise<number | undefined> {
  return call(`${url}${at}/get-demo-requests`, token, {}).then(
    ({ status }) => status,
    () => undefined,
  )
}

/**
 * Runs all users' remaining operations in parallel; each user stops at the first operation that is not
 * acknowledged.
 */
export async function runUntilFailure(
  url: string,
  people: readonly Person[],
  onAcknowledged: () => void = () => {},
): Promise<void> {
  await Promise.all(
    people.map(async ({ token, acts }) => {
      for (const act of acts) {
        if (act.state === 'acknowledged') continue
        const status = await send(url, token, act)
        if (status !== undefined && status !== 200) throw new Error(`${act.key} was answered with ${status}`)
        if (status === undefined) return
        onAcknowledged()
      }
    }),
  )
}

export interface Load {
  /** All statuses received; undefined means a request without a response. */
  statuses: Set<number | undefined>
  /** Longest time without a success, in milliseconds; Infinity if an operation was never acknowledged. */
  gapMs: number
}

const pauseMs = 20

/**
 * Lets all users alternate between writing and reading, retrying each operation until it is acknowledged;
 * gives up after `giveUpMs` without a success.
 */
export async function runRetryingFailures(
  url: string,
  people: readonly Person[],
  giveUpMs: number,
  onAcknowledged: () => void,
): Promise<Load> {
  const statuses = new Set<number | undefined>()
  let lastSuccess = performance.now()
  let gapMs = 0
  const note = (status: number | undefined) => {
    statuses.add(status)
    if (status !== 200) return false
    gapMs = Math.max(gapMs, performance.now() - lastSuccess)
    lastSuccess = performance.now()
    return true
  }
  const isOver = () => performance.now() - lastSuccess > giveUpMs
  await Promise.all(
    people.map(async ({ token, acts }) => {
      for (const act of acts) {
        while (!note(await send(url, token, act))) {
          if (isOver()) return
          await wait(pauseMs)
        }
        onAcknowledged()
        note(await readList(url, token))
      }
    }),
  )
  return {
    statuses,
    gapMs: people.every(({ acts }) => acts.every(({ state }) => state === 'acknowledged')) ? gapMs : Infinity,
  }
}

export interface Counts {
  acknowledged: number
  /** Acknowledged operations that are missing from the database. */
  lost: number
  /** Operations that were sent but never got a response. */
  indeterminate: number
  /** Operations found more than once. */
  doubled: number
  /** Operations found exactly once. */
  once: number
  /** Leads whose row, version, and history are inconsistent with each other. */
  uneven: number
}

interface Found {
  creates: Map<string, number>
  changes: Map<string, number>
}
const change = (lead_id: number, field: string, value: unknown) => JSON.stringify([lead_id, field, value])
const fieldOf = { followup: 'followup_date', phone: 'phone' } as const

/** Looks up each operation in the database: a new lead for each create, a history row for each change. */
export async function countActs(db: Db, people: readonly Person[]): Promise<Counts> {
  const acts = people.flatMap((person) => person.acts)
  const found = await findActs(db)
  const times = (act: Act) =>
    (act.kind === 'create'
      ? found.creates.get(act.value)
      : found.changes.get(change(act.lead_id, fieldOf[act.kind], act.value))) ?? 0
  const number = (fits: (act: Act) => boolean) => acts.filter(fits).length
  return {
    acknowledged: number(({ state }) => state === 'acknowledged'),
    lost: number((act) => act.state === 'acknowledged' && times(act) === 0),
    indeterminate: number(({ state }) => state === 'unanswered'),
    doubled: number((act) => times(act) > 1),
    once: number((act) => times(act) === 1),
    uneven: await countUneven(db, people, times),
  }
}

async function findActs(db: Db): Promise<Found> {
  const found: Found = { creates: new Map(), changes: new Map() }
  const count = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1)
  for (const { company_name } of await db.selectFrom('leads').select('company_name').execute())
    count(found.creates, company_name)
  const rows = await db
    .selectFrom('audit_log')
    .select(['target_id', 'changes'])
    .where('target_type', '=', 'lead')
    .execute()
  for (const { target_id, changes } of rows) {
    for (const [field, [, after]] of Object.entries(changes as Record<string, [unknown, unknown]>))
      count(found.changes, change(target_id!, field, after))
  }
  return found
}

/**
 * Counts inconsistent leads: the version must increase by one per change in the history, the row must contain
 * the latest values, and a created lead must have one history row.
 */
async function countUneven(db: Db, people: readonly Person[], times: (act: Act) => number): Promise<number> {
  let uneven = 0
  for (const { lead_id, acts } of people) {
    const lead = await db
      .selectFrom('leads')
      .select(['version', 'phone', 'followup_date'])
      .where('lead_id', '=', lead_id)
      .executeTakeFirstOrThrow()
    const there = acts.filter((act) => act.kind !== 'create' && times(act) > 0)
    const last = (kind: Act['kind']) => there.findLast((act) => act.kind === kind)?.value
    const changes = there.reduce((sum, act) => sum + times(act), 0)
    if (
      lead.version !== 1 + changes ||
      lead.phone !== (last('phone') ?? '') ||
      lead.followup_date !== (last('followup') ?? null)
    )
      uneven += 1
  }
  const names = people.flatMap(({ acts }) =>
    acts.flatMap(({ kind, value }) => (kind === 'create' ? [value] : [])),
  )
  const { rows } = await sql<{
    lead_id: number
  }>`select l.lead_id from leads l where l.company_name = any(${names}) and (l.version <> 1 or
    1 <> (select count(*) from audit_log a where a.target_type = 'lead' and a.target_id = l.lead_id))`.execute(
    db,
  )
  return uneven + rows.length
}
