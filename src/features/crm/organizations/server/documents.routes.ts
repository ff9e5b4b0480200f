import { sql } from 'kysely'
import { organizationDocuments } from '#features/crm/organizations/documents.contract.ts'
import { organizationKind } from '#features/crm/organizations/server/organizations.queries.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { chooseFiles, filesOf, linksFor } from '#server/files/record-files.ts'
import { changeRecord, getRecord, lockRecord } from '#server/record/record.ts'

const listDocuments: Handler<typeof organizationDocuments.documents> = async (
  { params: { id } },
  context,
) => {
  const { db, viewer } = context
  const held = await getRecord(db, organizationKind, id, viewer)
  const files = await filesOf(db, 'organization', [id], linksFor(context), 'attachment')
  const { rows: removed } = await sql<{
    id: number
    name: string
    at: string
  }>`select f.id, f.name, l.deleted_at as at from file_links l join files f on f.id = l.file_id
      where l.record_type = 'organization' and l.record_id = ${id} and l.role = 'attachment' and l.deleted_at is not null
        and not exists (select from file_links o where o.file_id = f.id and o.record_type = 'organization' and o.record_id = ${id} and o.deleted_at is null)
      order by l.deleted_at desc limit 100`.execute(db)
  return { data: files.get(id)!, removed, organization: { id, name: held['name'] as string } }
}

const addDocuments =
  (app: App): Handler<typeof organizationDocuments.addDocuments> =>
  async ({ params: { id }, body: { file_ids, label } }, context) => {
    const { db, viewer, files } = context
    const held = await lockRecord(db, organizationKind, id, viewer)
    const before = held['file_ids'] as number[]
    const sent = { files: files.attachment ?? [], file_ids }
    const ids = (await chooseFiles(app.files, context, organizationKind, 'file_ids', sent, id)) ?? []
    if (!ids.length) throw invalid('attachment', 'Choose at least one file.')
    const { operation } = await changeRecord(
      context,
      organizationKind,
      id,
      { file_ids: [...before, ...ids] },
      { summary: 'Documents added' },
    )
    if (label !== '')
      await db
        .updateTable('file_links')
        .set({ label })
        .where('record_type', '=', 'organization')
        .where('record_id', '=', id)
        .where('file_id', 'in', ids)
        .where('deleted_at', 'is', null)
        .execute()
    return { message: ids.length === 1 ? 'Document added.' : `${ids.length} documents added.`, operation }
  }

const removeDocument: Handler<typeof organizationDocuments.removeDocument> = async (
  { params: { id }, body: { file_id, back } },
  context,
) => {
  const { db, viewer } = context
  const held = await lockRecord(db, organizationKind, id, viewer)
  const before = held['file_ids'] as number[]
  const link = await db
    .selectFrom('file_links')
    .select('id')
    .where('record_type', '=', 'organization')
    .where('record_id', '=', id)
    .where('role', '=', 'attachment')
    .where('file_id', '=', file_id)
    .executeTakeFirst()
  if (!link || before.includes(file_id) === back) throw notFound('Document not found.')
  const { operation } = await changeRecord(
    context,
    organizationKind,
    id,
    { file_ids: back ? [...before, file_id] : before.filter((one) => one !== file_id) },
    { summary: back ? 'Document restored' : 'Document removed' },
  )
  return { message: back ? 'Document restored.' : 'Document removed.', operation }
}

export function documentRoutes(app: App): void {
  implement(app, organizationDocuments.documents, listDocuments)
  implement(app, organizationDocuments.addDocuments, addDocuments(app))
  implement(app, organizationDocuments.removeDocument, removeDocument)
}
