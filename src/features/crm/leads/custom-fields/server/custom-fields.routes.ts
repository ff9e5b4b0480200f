import { customFields, type StoredCustomField } from '#features/crm/leads/custom-fields/contract.ts'
import {
  findStoredFields,
  insertField,
  lockFields,
  markDeleted,
  purgeSome,
  putFieldsInOrder,
  unmarkDeleted,
  updateField,
} from '#features/crm/leads/custom-fields/server/custom-fields.queries.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import { hasChoices, mostCustomFields, type CustomChoice } from '#features/crm/leads/custom-fields.rules.ts'
import type { App, Handler, WriteContext } from '#server/app.ts'
import { conflict, invalid, notFound } from '#server/http/errors.ts'
import { implement } from '#server/http/implement.ts'
import type { Field } from '#shared/field.ts'

const everyNight = '41 3 * * *'

type Writing = Pick<WriteContext<typeof customFields.add>, 'db' | 'audit' | 'changed'>

/** The labels of a lead’s own fields, which files of an import and an export have as headers. */
const ownLabels = new Set(
  Object.values<Field>(leadFields).flatMap(({ label, csv }) =>
    [label, ...(typeof csv === 'string' ? [csv] : [])].map((one) => one.toLowerCase()),
  ),
)

/** @throws HttpError 422 for a name that another field of the product, or of all leads, has. */
function demandNew(fields: readonly StoredCustomField[], name: string, except?: number): void {
  if (ownLabels.has(name.toLowerCase())) throw invalid('name', `Leads have the field “${name}” already.`)
  const taken = fields.find(
    (one) => !one.is_deleted && one.id !== except && one.name.toLowerCase() === name.toLowerCase(),
  )
  if (taken) throw invalid('name', `There is a field “${taken.name}” already.`)
}

/** @throws HttpError 409 if the product has as many fields as it can. */
function demandRoom(fields: readonly StoredCustomField[]): void {
  if (fields.filter((one) => !one.is_deleted).length >= mostCustomFields)
    throw conflict(`A product can have up to ${mostCustomFields} custom fields. Delete one first.`)
}

/** @throws HttpError 404 */
function getField(fields: readonly StoredCustomField[], id: number): StoredCustomField {
  const found = fields.find((one) => one.id === id)
  if (!found) throw notFound('Custom field not found.')
  return found
}

/** Returns the fields of a product, and lets other changes to them wait. */
async function lockStored({ db }: Writing, product_id: number): Promise<StoredCustomField[]> {
  await lockFields(db, product_id)
  return (await findStoredFields(db, product_id)).data
}

interface Audited {
  before?: object
  after?: object
}

/** Stores what the log says about a change, and refreshes the pages that show the fields or their values. */
async function reply(
  { db, audit, changed }: Writing,
  product_id: number,
  message: string,
  { before, after }: Audited,
) {
  const of = (field: object | undefined) => field && { custom_field: { product_id, ...field } }
  audit({
    target: 'settings',
    id: 1,
    ...(before ? { before: of(before)! } : {}),
    ...(after ? { after: of(after)! } : {}),
  })
  changed('lists', [])
  return { message, ...(await findStoredFields(db, product_id)) }
}

const inLog = ({ name, type, choices }: Pick<StoredCustomField, 'name' | 'type' | 'choices'>) => ({
  name,
  type,
  ...(choices.length > 0 ? { choices: choices.filter((one) => !one.is_removed).map((one) => one.name) } : {}),
})

/** Returns the choices of a field after a change: those that are left out are removed, new ones get IDs. */
function nextChoices(
  before: readonly CustomChoice[],
  given: readonly { id?: number | undefined; name: string }[],
): CustomChoice[] {
  let last = Math.max(0, ...before.map(({ id }) => id))
  const kept = given.map(({ id, name }) => {
    if (id !== undefined && !before.some((one) => one.id === id))
      throw invalid('choices', 'One of the choices doesn’t exist.')
    return { id: id ?? (last += 1), name, is_removed: false }
  })
  if (new Set(kept.map(({ id }) => id)).size < kept.length)
    throw invalid('choices', 'Enter each choice only once.')
  const removed = before.filter(({ id }) => !kept.some((one) => one.id === id))
  return [...kept, ...removed.map((one) => ({ ...one, is_removed: true }))]
}

const add: Handler<typeof customFields.add> = async (
  { params: { product_id }, body: { name, type, choices } },
  context,
) => {
  const before = await lockStored(context, product_id)
  demandRoom(before)
  demandNew(before, name)
  if (!hasChoices(type) && choices.length > 0)
    throw invalid('choices', 'Fields of this type have no choices.')
  const field = {
    name,
    type,
    choices: nextChoices(
      [],
      choices.map((one) => ({ name: one.name })),
    ),
  }
  await insertField(context.db, product_id, field)
  return reply(context, product_id, `${name} added.`, { after: inLog(field) })
}

const change: Handler<typeof customFields.change> = async (
  { params: { product_id, id }, body: { name, choices: given, version } },
  context,
) => {
  const before = await lockStored(context, product_id)
  const field = getField(before, id)
  if (field.version !== version || field.is_deleted)
    throw conflict('Someone else changed this field. Open it again to see the change.', before)
  demandNew(before, name, id)
  if (given && !hasChoices(field.type)) throw invalid('choices', 'Fields of this type have no choices.')
  if (given?.length === 0) throw invalid('choices', 'Enter at least one choice.')
  const choices = given ? nextChoices(field.choices, given) : field.choices
  await updateField(context.db, id, { name, choices })
  const after = inLog({ ...field, name, choices })
  return reply(context, product_id, `${name} saved.`, { before: inLog(field), after })
}

const order: Handler<typeof customFields.order> = async (
  { params: { product_id }, body: { ids } },
  context,
) => {
  const before = (await lockStored(context, product_id)).filter((one) => !one.is_deleted)
  const isSame = ids.length === before.length && before.every(({ id }) => ids.includes(id))
  if (!isSame) throw conflict('Someone else changed the fields. Review the changes and try again.', before)
  await putFieldsInOrder(context.db, ids)
  const named = ids.map((id) => getField(before, id).name)
  return reply(context, product_id, 'Order saved.', {
    before: { order: before.map(({ name }) => name) },
    after: { order: named },
  })
}

const remove: Handler<typeof customFields.remove> = async ({ params: { product_id, id } }, context) => {
  const field = getField(await lockStored(context, product_id), id)
  if (field.is_deleted) throw conflict(`${field.name} was deleted already.`)
  await markDeleted(context.db, id, context.clock.now())
  return reply(context, product_id, `${field.name} deleted.`, { before: inLog(field) })
}

const restore: Handler<typeof customFields.restore> = async ({ params: { product_id, id } }, context) => {
  const before = await lockStored(context, product_id)
  const field = getField(before, id)
  if (!field.is_deleted) throw conflict(`${field.name} isn’t deleted.`)
  demandRoom(before)
  if (before.some((one) => !one.is_deleted && one.name.toLowerCase() === field.name.toLowerCase()))
    throw conflict(`There is a new field “${field.name}”. Rename it first.`)
  await unmarkDeleted(context.db, id)
  return reply(context, product_id, `${field.name} restored.`, { after: inLog(field) })
}

/** Removes the values of fields that were deleted too long ago. */
export async function purgeDeleted({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  while (await purgeSome(db, clock.now()));
}

export function customFieldRoutes(app: App): void {
  app.jobs.every('custom-field-values', everyNight, () => purgeDeleted(app))
  implement(app, customFields.show, ({ params }, { db }) => findStoredFields(db, params.product_id))
  implement(app, customFields.add, add)
  implement(app, customFields.order, order)
  implement(app, customFields.change, change)
  implement(app, customFields.remove, remove)
  implement(app, customFields.restore, restore)
}
