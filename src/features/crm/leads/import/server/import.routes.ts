import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { plainDate } from '#shared/dates.ts'
import { leadImports, type Import } from '#features/crm/leads/import/contract.ts'
import { proposeField } from '#features/crm/leads/import/rules.ts'
import { isDay } from '#features/crm/leads/import/server/file-dates.ts'
import {
  findColumnValues,
  findFailedRows,
  findImportRows,
  findImports,
  getImport,
  importRowsPerPage,
  lockImport,
  storeImport,
} from '#features/crm/leads/import/server/import.queries.ts'
import { previewRows } from '#features/crm/leads/import/server/preview-rows.ts'
import { readTableFile } from '#features/crm/leads/import/server/read-file.ts'
import { beginImport, checkImport, runImport } from '#features/crm/leads/import/server/run-import.ts'
import { asCsv } from '#server/files/csv.ts'
import type { Db } from '#server/db/db.ts'
import { notAllowed, notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement, implementPrepared } from '#server/http/implement.ts'

const queue = 'lead-import'

export function leadImportRoutes(app: App): void {
  app.jobs.on(queue, ({ id }: { id: number }) =>
    runImport(
      app.db,
      id,
      () => plainDate(app.clock.now()),
      ({ staff_id, lead_ids }) => {
        app.live.changed('lead-imports', [id], staff_id)
        if (lead_ids.length) app.live.changed('leads', lead_ids, staff_id)
      },
    ),
  )

  implementPrepared(
    app,
    leadImports.upload,
    async (_input, { files }) => readTableFile(await readFile(files.file[0]!.path)),
    async ({ body }, { db, viewer, files, audit, prepared: csv }) => {
      const importer = { id: viewer.id, zone: viewer.zone ?? 'UTC' }
      const id = await storeImport(db, { ...csv, name: files.file[0]!.name }, body.lead_for, importer)
      audit({
        target: 'lead-import',
        id,
        after: { file_name: files.file[0]!.name, row_count: csv.rows.length },
      })
      return { data: await getImport(db, id, viewer) }
    },
  )

  implement(app, leadImports.show, async ({ params }, { db, viewer }) => ({
    data: await getImport(db, params.id, viewer),
  }))

  implement(app, leadImports.recent, async (_input, { db, viewer }) => ({
    data: await findImports(db, viewer),
  }))

  implement(app, leadImports.check, async ({ params, body }, { db, viewer, audit, changed }) => {
    await getImport(db, params.id, viewer)
    await checkImport(db, (await lockImport(db, params.id))!, body, viewer.zone)
    const data = await getImport(db, params.id, viewer)
    audit({ target: 'lead-import', id: params.id, after: { state: data.state, ...data.counts } })
    changed('lead-imports', [params.id])
    return { data }
  })

  implement(app, leadImports.rows, listRows)

  implement(app, leadImports.proposedField, proposeFieldOf)

  implement(app, leadImports.run, async ({ params, body }, { db, viewer, audit, changed }) => {
    const before = await getImport(db, params.id, viewer)
    // Access to the product may have been revoked since the preview.
    if (!viewer.products.includes(before.mapping.lead_for))
      throw notAllowed('You don’t have access to this product.')
    await beginImport(db, (await lockImport(db, params.id))!, {
      staff_id: viewer.id,
      today: body.today,
      zone: viewer.zone,
    })
    await app.jobs.send(db, queue, { id: params.id })
    audit({
      target: 'lead-import',
      id: params.id,
      before: { state: before.state },
      after: { state: 'running' },
    })
    changed('lead-imports', [params.id])
    return {
      message: 'Import started. You can leave this page.',
      data: await getImport(db, params.id, viewer),
    }
  })

  implement(app, leadImports.failed, exportFailed)
}

const listRows: Handler<typeof leadImports.rows> = async ({ params, query }, { db, viewer }) => {
  const one = await getImport(db, params.id, viewer)
  const { rows, total } = await findImportRows(db, one, query.page, query.outcome)
  const { fields, valuesOf } = await previewRows(db, one, rows)
  const data = rows.map(({ cells: _, ...row }) => ({ ...row, values: valuesOf.get(row.line) ?? {} }))
  return { data, fields, total, per_page: importRowsPerPage }
}

const proposeFieldOf: Handler<typeof leadImports.proposedField> = async (
  { params: { id, column } },
  { db, viewer },
) => {
  const { headers } = await getImport(db, id, viewer)
  if (column > headers.length) throw notFound(`The file has ${headers.length} columns.`)
  return { data: proposeField(await findColumnValues(db, id, column - 1), isDay) }
}

const exportFailed: Handler<typeof leadImports.failed> = async ({ params }, { db, viewer, reply }) => {
  const { headers } = await getImport(db, params.id, viewer)
  return reply
    .header('Content-Disposition', `attachment; filename="failed-${params.id}.csv"`)
    .type('text/csv; charset=utf-8')
    .send(Readable.from(failedCsv(db, params.id, headers)))
}

const failedAtOnce = 1000

/** Yields the failed rows as a CSV for spreadsheets, with a BOM and with formulas escaped. */
async function* failedCsv(db: Db, id: Import['id'], headers: readonly string[]): AsyncGenerator<string> {
  yield `\ufeff${asCsv([[...headers, 'line', 'reason']])}`
  for (let line = 0; ;) {
    const rows = await findFailedRows(db, id, line, failedAtOnce)
    const last = rows.at(-1)
    if (!last) return
    yield asCsv(
      rows.map(({ cells, line: at, reason }) => [...fitted(cells, headers.length), String(at), reason]),
    )
    line = last.line
  }
}

/** Pads a row that has too few cells, so that its line number and reason are under the right headers. */
const fitted = (cells: readonly string[], columns: number) => [
  ...cells,
  ...Array.from({ length: Math.max(0, columns - cells.length) }, () => ''),
]
