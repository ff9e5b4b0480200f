import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#server/db/db.ts'

/*
 * Option lists, such as the statuses of leads: their entries are edited under Admin → Options, and each list is
 * registered by the feature whose records use it.
 */

export interface OptionList {
  table: string
  /** The column that identifies an entry: an ID, or the name that records store. */
  key: 'id' | 'name'
  toned?: true
  /** Whether entries are steps toward a sale, with a `probability` in percent and `stuck_days`. */
  isPipeline?: true
  /** Entries that the code or a column default refers to, with the reason why they cannot be removed. */
  fixed?: Record<string, string>
  /** Builds the query that counts the records that use an entry. */
  used: (key: string) => RawBuilder<{ count: number }>
  /** Wording for the count, such as `['lead uses', 'leads use']`. */
  usedBy: [one: string, many: string]
  /** Cascades a rename to records that are not updated by a foreign key. */
  cascadeRename?: (from: string, to: string) => RawBuilder<unknown>
}

/** Builds a query that counts the rows of a table that have the entry in a column. */
export const usedIn =
  (table: keyof Database, column: string, by: 'id' | 'name' = 'id'): OptionList['used'] =>
  (key) =>
    sql`select count(*) as count from ${sql.table(table)} where ${sql.ref(column)} = ${by === 'id' ? Number(key) : key}`

/** Option lists that the features have registered. */
export class OptionLists {
  readonly #lists = new Map<string, OptionList>()

  /** Registers a list; the feature whose records use it calls this once. */
  register(name: string, list: OptionList): void {
    if (this.#lists.has(name)) throw new Error(`The option list ${name} is registered twice`)
    this.#lists.set(name, list)
  }

  /** @throws Error for a list that no feature has registered. */
  get(name: string): OptionList {
    const list = this.#lists.get(name)
    if (!list) throw new Error(`No feature has registered the option list ${name}`)
    return list
  }

  /** Reports whether `name` is a list whose entries are referenced by ID. */
  isById = (name: string): boolean => this.#lists.get(name)?.key === 'id'
}
