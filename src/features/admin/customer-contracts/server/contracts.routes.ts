import { contracts } from '#features/admin/customer-contracts/contract.ts'
import { allContracts, contractKind, findContracts, getContract } from '#features/admin/customer-contracts/server/contracts.queries.ts'
import { implement, type App } from '#server/http/implement.ts'
import { replyCsv } from '#server/record/list.ts'
import { changeRecord, createRecord, trashRecords } from '#server/record/record.ts'

export function contractRoutes(app: App): void {
  app.records.register(contractKind)

  implement(app, contracts.list, ({ query }, { db }) => findContracts(db, query))

  implement(app, contracts.export, ({ query }, { db, reply }) =>
    replyCsv(app.pool, reply, 'contracts.csv', allContracts(db, query), {
      Number: (row) => row.id,
      Title: (row) => row.title,
      Organization: (row) => row.organization,
      'Due date': (row) => row.due_date,
      Status: (row) => row.status_name,
    }),
  )

  implement(app, contracts.show, async ({ params }, { db }) => ({ data: await getContract(db, params.id) }))

  implement(app, contracts.create, async ({ body }, context) => {
    const id = await createRecord(context, contractKind, body, { created_by: context.viewer.id })
    return { message: 'Contract created.', data: await getContract(context.db, id) }
  })

  implement(app, contracts.update, async ({ params: { id }, body: { version, base, ...values } }, context) => {
    const current = () => getContract(context.db, id)
    const { operation } = await changeRecord(context, contractKind, id, values, { stated: { version, base }, current })
    return { message: 'Contract saved.', data: await current(), operation }
  })

  implement(app, contracts.remove, async ({ params }, context) => {
    const operation = await trashRecords(context, contractKind, [params.id])
    return { message: `${operation.summary}.`, operation }
  })
}
