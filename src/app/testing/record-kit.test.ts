import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { plant, plantedId } from '#app/testing/planted.testing.ts'
import { recordSamples, type RecordSample } from '#app/testing/samples.testing.ts'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { articleKindNames } from '#shared/article-kinds.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { hasTrash, recordTypeNames, recordTypes, type RecordType } from '#shared/records.ts'
import { findViewer } from '#server/http/session.ts'
import { changeInBulk, setValues } from '#server/record/batches.ts'
import { changeRecord } from '#server/record/record.ts'
import { idOf, type ContinuableWriting, type RecordKind, type Row } from '#server/record/rows.ts'

/*
 * Conflicts, operations, trash, and read checks of every record type, on one record of each: the `records` of
 * the features' `samples.testing.ts`.
 */

const samples = await recordSamples()

const id = 5000

async function startPlanted() {
  const started = await startTestApp()
  const { db, as } = started
  const by = as('super_admin').id
  await plant(db, { id, product: 1, mark: 'Linen', slug: 'linen', by, to: as('admin').id })
  for (const type of recordTypeNames) await sampleOf(type).insert?.(idOfSample(type), by).execute(db)
  for (const type of recordTypeNames) await assertInserted(started, type)
  return started
}

async function assertInserted({ app, db }: TestApp, type: RecordType): Promise<void> {
  const kind = app.records.get(type)
  const own = idOfSample(type)
  const { rows } =
    await sql`select from ${sql.table(kind.table)} where ${sql.ref(idOf(kind))} = ${own}`.execute(db)
  if (!rows.length) throw new Error(`No ${type} ${own}: give its sample in \`records\` an \`insert\`.`)
}

type Field = RecordSample['fields'][number]

const isArticle = (type: string) => (articleKindNames as readonly string[]).includes(type)
/** Returns the ID of a type's record: types that share a table have different IDs. */
const idOfSample = (type: RecordType) => {
  if (type === 'faq_category') return id + 50
  return type === 'designer_task' || isArticle(type) ? plantedId({ id }, type) : id
}

function sampleOf(type: RecordType): RecordSample {
  const sample = samples[type]
  if (!sample) throw new Error(`No samples.testing.ts has \`records\` with a sample of ${type}.`)
  return sample
}

/** Returns functions that change and read the record of a type as a Super Admin. */
async function recordOf(type: RecordType) {
  const started = await startPlanted()
  const { app, db, as } = started
  const kind = app.records.get(type)
  const own = idOfSample(type)
  const viewer = (await findViewer(db, as('super_admin').id))!
  const write = <Result>(work: (writing: ContinuableWriting) => Promise<Result>): Promise<Result> =>
    db.transaction().execute((tx) =>
      work({
        db: tx,
        viewer,
        called: { endpoint: '', input: null },
        audit: () => {},
        changed: () => {},
        enqueue: () => Promise.resolve(),
        afterCommit: () => {},
      }),
    )
  return {
    started,
    change: (values: Row, stated = {}) =>
      write((writing) => changeRecord(writing, kind, own, values, { stated })),
    set: (field: string, value: unknown) =>
      write((writing) =>
        changeInBulk(writing, kind, [own], {
          change: setValues({ [kind.wireNames?.[field] ?? field]: value }),
          summary: 'Set',
        }),
      ),
    /** Calls an endpoint that all types have, such as `trash`. */
    send: (path: string) => as('super_admin').post(`/admin/records/${type}/${path}`, { ids: [own] }),
    turn: (way: 'undo' | 'redo', operation: number) =>
      as('super_admin').post(`/admin/operations/${operation}/${way}`),
    version: () => findVersion(started, kind, own),
    state: () => findState(started, kind, own),
  }
}

/** Returns a record and its links, without the traces of changes. */
async function findState({ db }: TestApp, kind: RecordKind, own: number): Promise<unknown> {
  const links = Object.values(kind.links ?? {}).map(
    (link) =>
      sql`to_jsonb(array(select k.${sql.ref(link.other)} from ${sql.table(link.table)} k where k.${sql.ref(link.own)} = ${own} order by 1))`,
  )
  const { rows } = await sql<{
    state: unknown
  }>`select jsonb_build_array(to_jsonb(r) - array['version', 'updated_at', 'status_at', 'search', 'deleted_at'],
      r.deleted_at is not null, ${sql.join([...links, sql`null`])}) as state
    from ${sql.table(kind.table)} r where r.${sql.ref(idOf(kind))} = ${own}`.execute(db)
  return rows[0]!.state
}

async function findVersion({ db }: TestApp, kind: RecordKind, own: number): Promise<number> {
  const { rows } = await sql<{ version: number }>`select version from ${sql.table(kind.table)}
    where ${sql.ref(idOf(kind))} = ${own}`.execute(db)
  return rows[0]!.version
}

test.each(recordTypeNames)(
  '%s: changes, bulk changes, trash, and restore are undone from last to first, and redone',
  async (type) => {
    const { change, set, send, turn, state } = await recordOf(type)
    const { fields } = sampleOf(type)
    const [field, , second] = fields[0]!
    const steps: (() => Promise<{ operation: { id: number } | null }>)[] = [
      ...fields.map(
        ([name, value]) =>
          () =>
            change({ [name]: value }),
      ),
      ...(hasTrash(type)
        ? [async () => (await send('trash')) as never, async () => (await send('restore')) as never]
        : []),
      () => set(field, second),
    ]
    const states = [await state()]
    const done: number[] = []
    for (const step of steps) {
      done.push((await step()).operation!.id)
      states.push(await state())
      expect(states.at(-1)).not.toEqual(states.at(-2))
    }
    for (const round of [1, 2]) {
      for (const [at, operation] of [...done.entries()].toReversed()) {
        expect(await turn('undo', operation)).toMatchObject({ status: 200, undone: 1, skipped: [] })
        expect([round, at, await state()]).toEqual([round, at, states[at]])
      }
      for (const [at, operation] of done.entries()) {
        expect(await turn('redo', operation)).toMatchObject({ status: 200, redone: 1, skipped: [] })
        expect([round, at, await state()]).toEqual([round, at, states[at + 1]])
      }
    }
    // The record has changed since the first operation, so its undo leaves the record alone.
    const early = await turn('undo', done[0]!)
    expect(early).toMatchObject({ status: 200, undone: 0, skipped: [expect.any(String)] })
    expect(early['message']).toMatch(/^Nothing was undone: the .* was changed since then\. Undo “/)
    expect(await state()).toEqual(states.at(-1))
  },
)

test.each(recordTypeNames)(
  '%s: two changes of one field conflict, and changes of different fields are merged',
  async (type) => {
    const { change, version } = await recordOf(type)
    const [[field, first, second], more] = sampleOf(type).fields as [Field, Field?]
    await change({ [field]: first, ...(more ? { [more[0]]: more[1] } : {}) })
    const stale = {
      version: await version(),
      base: { [field]: first, ...(more ? { [more[0]]: more[1] } : {}) },
    }
    await change({ [field]: second })
    const third =
      typeof first === 'number' ? 0 : Array.isArray(first) ? [4] : `${String(first).slice(0, -1)}3`
    const conflict = { status: 409, clashes: [{ field, yours: third, theirs: second }] }
    await expect(change({ [field]: third }, stale)).rejects.toMatchObject(conflict)
    await expect(change({ [field]: third }, { version: stale.version })).rejects.toMatchObject(conflict)
    expect(await change({ [field]: second }, stale)).toMatchObject({ operation: null })
    if (!more) return
    expect(await change({ [more[0]]: more[2] }, stale)).toMatchObject({
      operation: { summary: 'Edited: 1 ' + wordOf(type) },
    })
    expect(await change({ [field]: second, [more[0]]: more[2] })).toMatchObject({ operation: null })
  },
)

test('files, emails, and presence of a record are for those who can see it', async () => {
  const { app, db, as } = await startPlanted()
  const admin = (await findViewer(db, as('super_admin').id))!
  for (const type of recordTypeNames) {
    const own = idOfSample(type)
    const allowed = async (viewer: Viewer) => [
      type,
      await app.files.readerOf(type)?.(db, own, viewer),
      await app.mail.access.isReadable(db, { type, id: own }, viewer),
      await app.live.mayJoin(`private-${type}.${own}`, viewer),
    ]
    expect(await allowed(admin)).toEqual([type, true, true, !('presence' in recordTypes[type])])
    if (isSignedInEnough(type)) continue
    expect(await allowed({ ...admin, role_id: 13, permissions: new Set() })).toEqual([
      type,
      false,
      false,
      false,
    ])
    if (app.records.get(type).visibility?.products)
      expect(await allowed({ ...admin, products: [2] })).toEqual([type, false, false, false])
  }
})

const wordOf = (type: RecordType) => recordTypes[type].one
const isSignedInEnough = (type: RecordType) => recordTypes[type].read === 'signed-in'
