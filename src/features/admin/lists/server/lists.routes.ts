import { isDeepStrictEqual } from 'node:util'
import {
  optionLists,
  listNames,
  lists,
  type ListEntry,
  type ListName,
} from '#features/admin/lists/contract.ts'
import {
  addEntry,
  findList,
  findLists,
  findUses,
  type Figures,
  lockLists,
  putInOrder,
  removeEntry,
  renameEntry,
  setFigures,
  setTone,
  whereUsed,
} from '#features/admin/lists/server/lists.queries.ts'
import { conflict, invalid, notFound } from '#server/http/errors.ts'
import type { OptionList } from '#server/record/option-lists.ts'
import type { App, Handler, WriteContext } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

type Writing = Pick<WriteContext<typeof optionLists.add>, 'db' | 'audit' | 'changed'>

export function optionListRoutes(app: App): void {
  const stored = (list: ListName) => app.optionLists.get(list)
  // Forms in every area use the lists, and the event doesn't contain any entries.
  implement(app, optionLists.all, async (_input, { db }) => ({
    data: await findLists(db, app.optionLists, listNames),
  }))

  implement(app, optionLists.uses, async ({ params: { list } }, { db }) => ({
    data: await findUses(db, stored(list)),
  }))

  implement(app, optionLists.add, async ({ params: { list }, body: { name, tone } }, context) => {
    const before = await lockList(context, stored(list))
    demandToned(list, tone)
    demandNew(before, name)
    await addEntry(context.db, stored(list), name, tone)
    return auditAndReply(app, context, list, `${name} added.`, undefined, { name, ...(tone ? { tone } : {}) })
  })

  implement(app, optionLists.change, changeEntry(app))

  implement(app, optionLists.order, async ({ params: { list }, body: { keys } }, context) => {
    const before = await lockList(context, stored(list))
    const isSame =
      keys.length === before.length &&
      new Set(keys).size === keys.length &&
      before.every(({ key }) => keys.includes(key))
    if (!isSame) throw conflict('Someone else changed this list. Review the changes and try again.', before)
    await putInOrder(context.db, stored(list), keys)
    const names = (entries: readonly ListEntry[]) => ({ order: entries.map(({ name }) => name) })
    return auditAndReply(
      app,
      context,
      list,
      'Order saved.',
      names(before),
      names(await findList(context.db, stored(list))),
    )
  })

  implement(app, optionLists.remove, async ({ params: { list }, body: { key } }, context) => {
    const entry = getEntry(await lockList(context, stored(list)), list, key)
    const why = entry.fixed ?? (await whereUsed(context.db, stored(list), entry))
    if (why) throw conflict(`“${entry.name}” can’t be removed. ${why}`)
    await removeEntry(context.db, stored(list), entry)
    return auditAndReply(app, context, list, `${entry.name} removed.`, { name: entry.name }, undefined)
  })
}

/** Returns the figures of an entry; none in lists whose entries have none. */
const figuresOf = ({ probability, stuck_days, for_demo }: ListEntry): Figures =>
  probability === null ? {} : { probability, stuck_days, for_demo }

/** @throws HttpError 422 */
function demandFigures(entry: ListEntry, figures: Figures): void {
  const own = figuresOf(entry)
  for (const name of Object.keys(lacking) as (keyof typeof lacking)[])
    if (figures[name] !== undefined && own[name] === undefined) throw invalid(name, lacking[name])
}

const lacking = {
  probability: 'Entries in this list don’t have a probability.',
  stuck_days: 'Entries in this list don’t have a number of days.',
  for_demo: 'Entries in this list aren’t the status of a demo.',
} as const

const changeEntry =
  (app: App): Handler<typeof optionLists.change> =>
  async ({ params: { list }, body: { key, name, tone, ...figures } }, context) => {
    const stored = app.optionLists.get(list)
    const before = await lockList(context, stored)
    const entry = getEntry(before, list, key)
    demandToned(list, tone)
    demandFigures(entry, figures)
    if (name !== undefined && name !== entry.name) {
      demandNew(
        before.filter((other) => other !== entry),
        name,
      )
      await renameEntry(context.db, stored, entry, name)
      // Pages that list leads show this name, so they need a refresh.
      context.changed('leads', [])
    }
    if (tone !== undefined && tone !== entry.tone) await setTone(context.db, stored, entry, tone)
    const had = figuresOf(entry)
    const has = { ...had, ...figures }
    if (!isDeepStrictEqual(had, has)) {
      await setFigures(context.db, stored, entry, has)
      // Boards show amounts times the probability, and lists which leads are stuck.
      context.changed('leads', [])
    }
    const { name: was, tone: wasTone } = entry
    return auditAndReply(
      app,
      context,
      list,
      `${name ?? was} saved.`,
      { name: was, tone: wasTone, ...had },
      { name: name ?? was, tone: tone ?? wasTone, ...has },
    )
  }

async function lockList({ db }: Writing, list: OptionList): Promise<ListEntry[]> {
  await lockLists(db)
  return findList(db, list)
}

async function auditAndReply(
  app: App,
  { db, audit, changed }: Writing,
  list: ListName,
  message: string,
  before: object | undefined,
  after: object | undefined,
) {
  audit({ target: `list-${list}`, id: 0, ...(before ? { before } : {}), ...(after ? { after } : {}) })
  changed('lists', [])
  return { message, data: await findList(db, app.optionLists.get(list)) }
}

function getEntry(entries: readonly ListEntry[], list: ListName, key: string): ListEntry {
  const entry = entries.find((one) => one.key === key)
  if (!entry) throw notFound(`This ${lists[list].one} doesn’t exist.`)
  return entry
}

function demandNew(others: readonly ListEntry[], name: string): void {
  if (others.some((other) => other.name.toLowerCase() === name.toLowerCase()))
    throw invalid('name', 'This name is already in the list.')
}

function demandToned(list: ListName, tone: string | undefined): void {
  if (tone !== undefined && !lists[list].toned)
    throw invalid('tone', 'Entries in this list don’t have colors.')
}
