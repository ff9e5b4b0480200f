import { sql } from 'kysely'
import { options, type Option } from '#shared/options.contract.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

/** Registers the endpoints for the options offered by filters and forms in every area. */
export function optionRoutes(app: App): void {
  implement(app, options.lists, async ({ query }, { db }) => {
    const found = await Promise.all(
      query.names.filter(app.optionLists.isById).map(async (name) => {
        const { table, toned } = app.optionLists.get(name)
        const { rows } =
          await sql<Option>`select id, name::text as name ${toned ? sql`, tone` : sql``} from ${sql.table(table)} order by position, name`.execute(
            db,
          )
        return [name, rows] as const
      }),
    )
    return { data: Object.fromEntries(found) }
  })

  implement(app, options.staff, async ({ query }, { db, viewer }) => {
    const products = query.product_id === undefined ? viewer.products : [query.product_id]
    const { rows } = await sql<Option>`select s.id, s.name from staff s
      where (s.banned_at is null or ${query.former === 1}) and exists (select from staff_products p where p.staff_id = s.id and p.product_id = any(${products}::int[]))
      order by s.first_name, s.last_name, s.id`.execute(db)
    return { data: rows }
  })
}
