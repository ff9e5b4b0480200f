import { contracts } from '#features/admin/customer-contracts/contract.ts'
import {
  contractKind,
  contractReads,
  getContract,
} from '#features/admin/customer-contracts/server/contracts.queries.ts'
import { cleanHtml, imagesIn } from '#server/html/html-clean.ts'
import { invalid } from '#server/http/errors.ts'
import type { App, WriteContext, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { usedIn } from '#server/record/option-lists.ts'
import { chooseFiles, setInlineImages } from '#server/files/record-files.ts'
import { linksFor } from '#server/files/signed-links.ts'
import { changeRecord, createRecord, isVisible, trashRecords } from '#server/record/record.ts'

const showContract: Handler<typeof contracts.show> = async ({ params }, context) => ({
  data: await getContract(context.db, params.id, context.viewer, linksFor(context)),
})

/** @throws HttpError 422 if the organization does not exist or the viewer can't see it. */
async function assertOrganization(
  app: App,
  { db, viewer }: Pick<WriteContext<typeof contracts.create>, 'db' | 'viewer'>,
  id: number | null | undefined,
): Promise<void> {
  if (id === null || id === undefined) return
  if (!(await isVisible(db, app.records.get('organization'), id, viewer)))
    throw invalid('organization_id', 'This organization doesn’t exist.')
}

const createContract: Handler<typeof contracts.create> = async (
  { body: { content: unclean, file_ids: sent, ...values } },
  context,
) => {
  const { app } = context
  const content = unclean && cleanHtml(unclean)
  await assertOrganization(app, context, values.organization_id)
  const file_ids = await chooseFiles(app.files, context, contractKind, 'file_ids', { file_ids: sent })
  const id = await createRecord(
    context,
    contractKind,
    { ...values, content, file_ids },
    { created_by: context.viewer.id },
  )
  await setInlineImages(app.files, context, { type: 'contract', id }, imagesIn(content ?? ''))
  return {
    message: 'Contract created.',
    data: await getContract(context.db, id, context.viewer, linksFor(context)),
  }
}

const updateContract: Handler<typeof contracts.update> = async (
  { params: { id }, body: { version, base, content: unclean, file_ids: sent, ...values } },
  context,
) => {
  const { app } = context
  const content = unclean && cleanHtml(unclean)
  await assertOrganization(app, context, values.organization_id)
  const current = () => getContract(context.db, id, context.viewer, linksFor(context))
  const file_ids = await chooseFiles(app.files, context, contractKind, 'file_ids', { file_ids: sent }, id)
  const { operation } = await changeRecord(
    context,
    contractKind,
    id,
    { ...values, content, file_ids },
    { stated: { version, base }, current },
  )
  if (content !== undefined)
    await setInlineImages(app.files, context, { type: 'contract', id }, imagesIn(content))
  return { message: 'Contract saved.', data: await current(), operation }
}

const removeContract: Handler<typeof contracts.remove> = async ({ params }, context) => {
  const operation = await trashRecords(context, contractKind, [params.id])
  return { message: `${operation.summary}.`, operation }
}

export function contractRoutes(app: App): void {
  app.records.register(contractKind)
  app.optionLists.register('contract_statuses', {
    table: 'contract_statuses',
    key: 'id',
    toned: true,
    fixed: { '1': 'New contracts start with this status.' },
    used: usedIn('customer_contracts', 'status'),
    usedBy: ['contract uses', 'contracts use'],
  })
  implement(app, contracts.list, ({ query }, { db, viewer }) => contractReads.page(db, query, viewer))
  implement(app, contracts.export, contractReads.export)
  implement(app, contracts.show, showContract)
  implement(app, contracts.create, createContract)
  implement(app, contracts.update, updateContract)
  implement(app, contracts.remove, removeContract)
}
